package import Logging
import Synchronization

/// A log whose messages tests can read.
package struct RecordedLog: LogHandler {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()
    private let react: @Sendable () -> Void
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace

    /// - Parameter react: called with each message.
    package init(_ react: @escaping @Sendable () -> Void = {}) { self.react = react }

    /// Each message with its metadata, in order.
    package var said: [String] { lines.all.withLock { $0 } }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        react()
    }
}
