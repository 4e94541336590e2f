import Glibc
import Logging
import Systemd

/// Writes the log where a backlog is shown. In a file or pipe, photos that get a sticker and duplicates have no lines
/// of their own during a backlog: the `Reporter` logs the progress, which counts them. On a terminal, each photo has a
/// short line, and other events have their time.
struct BacklogLogHandler: LogHandler {
    enum Output {
        case lines(SharedBacklog)
        case screen(TerminalScreen, LogDestination)
    }

    private let output: Output
    private var inner: JournalLogHandler

    init(_ output: Output, level: Logger.Level) {
        self.output = output
        inner = JournalLogHandler(destination: .lines, level: level)
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }
    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }
    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let record = inner.record(of: event)
        switch output {
        case .lines(let backlog):
            // At the level debug, every photo is logged.
            if logLevel >= .info, backlog.isUnderWay, record.event?.isGoodEnd == true { return }
            inner.log(event: event)
        case .screen(let screen, let destination):
            if let line = PhotoLine(record) {
                screen.print(line)
            } else {
                screen.print(destination.line(record, at: time(nil)))
            }
        }
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

extension PhotoLine {
    /// Nil if the record is not about the end of a photo.
    init?(_ record: LogRecord) {
        guard let event = record.event, let photo = record.value("photo") else { return nil }
        let reason = record.value("reason") ?? ""
        switch event {
        case .stickerMade:
            let duration = record.value("duration-usec").flatMap { Int64($0) }.map { Duration.microseconds($0) }
            self.init(.made, photo, " → \(record.value("sticker") ?? "")", duration: duration)
        case .photoFailed: self.init(.failed, photo, ": \(reason)")
        case .noSubject: self.init(.skipped, photo, ": no clear subject: try one thing on a calm background")
        case .duplicate: self.init(.skipped, photo, ": duplicate of \(record.value("original") ?? "")")
        case .nearDuplicate where record.value("state") != nil:
            self.init(.skipped, photo, ": \(record.value("like") ?? "")")
        case .ignored: self.init(.skipped, photo, ": ignored, not a picture")
        default: return nil
        }
    }
}
