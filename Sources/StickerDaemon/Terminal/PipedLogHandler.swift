import Logging
import Synchronization
import Systemd

/// Writes the log to a file or pipe. During a backlog, photos that get a sticker and duplicates have no lines of their
/// own: the `Reporter` logs the progress, which counts them.
struct PipedLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let backlog: SharedBacklog

    init(backlog: SharedBacklog, level: Logger.Level) {
        self.backlog = backlog
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var handler = JournalLogHandler(destination: .lines, level: logLevel)
        handler.metadata = metadata
        handler.metadataProvider = metadataProvider
        // At the level debug, every photo is logged.
        if logLevel >= .info, backlog.isUnderWay, handler.record(of: event).event?.isGoodEnd == true { return }
        handler.log(event: event)
    }
}

extension JournalEvent {
    /// Whether the photo now has a sticker, or is a duplicate.
    fileprivate var isGoodEnd: Bool {
        switch self {
        case .stickerMade, .duplicate, .nearDuplicate: true
        default: false
        }
    }
}

/// The backlog as the `Reporter` counts it, for the log's handler.
package final class SharedBacklog: Sendable {
    /// That of this process.
    package static let ofProcess = SharedBacklog()

    private let backlog = Mutex(Backlog())

    package init() {}

    /// Records the counts as `Backlog.update`, and returns its text.
    package func update(waiting: Int, ended: Int) -> String? {
        backlog.withLock { backlog in
            backlog.update(waiting: waiting, ended: ended)
            return backlog.text()
        }
    }

    var isUnderWay: Bool { backlog.withLock(\.isUnderWay) }
}
