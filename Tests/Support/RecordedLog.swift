package import Logging
import Synchronization

/// A log whose messages tests can read.
package struct RecordedLog: LogHandler {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace

    package init() {}

    /// Each message with its metadata, in order.
    package var said: [String] { lines.all.withLock { $0 } }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
}
