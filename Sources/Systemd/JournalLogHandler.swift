package import Logging

/// Writes swift-log's events to the journal, or as lines to standard error. Metadata keys become fields
/// (`duration-usec` → `STICKERD_DURATION_USEC`), and `event` picks the `MESSAGE_ID` (see `JournalEvent`). Every value
/// is taken for untrusted: no file name can forge a line or a field.
package struct JournalLogHandler: LogHandler {
    /// Less urgent events are dropped.
    package var logLevel: Logger.Level
    /// Added to every event.
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let destination: LogDestination

    package init(destination: LogDestination, level: Logger.Level) {
        self.destination = destination
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes at once, on the caller's thread.
    package func log(event: LogEvent) {
        destination.write(record(of: event))
    }

    /// The event with all that is known about it; what is nearest to the event wins.
    package func record(of event: LogEvent) -> LogRecord {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        return LogRecord(event, metadata: all)
    }
}
