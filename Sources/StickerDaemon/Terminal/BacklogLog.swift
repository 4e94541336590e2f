import Glibc
import Logging
import Systemd

/// The log where a backlog is shown.
extension SharedBacklog {
    /// Writes a record to a file or pipe. During a backlog, photos that get a sticker and duplicates have no lines of
    /// their own: the `Reporter` logs the progress, which counts them. At the level debug, every photo is logged.
    func write(_ record: LogRecord, level: Logger.Level) {
        if level >= .info, isUnderWay, record.event?.isGoodEnd == true { return }
        LogDestination.lines.write(record)
    }
}

extension TerminalScreen {
    /// Prints a short line for a finished photo, and other events with their time.
    func print(_ record: LogRecord, _ destination: LogDestination) {
        if let line = PhotoLine(record) { print(line) } else { print(destination.line(record, at: time(nil))) }
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
        case .duplicate: self.init(.skipped, photo, ": \(record.value("original") ?? "duplicate")")
        case .nearDuplicate where record.value("state") != nil:
            self.init(.skipped, photo, ": \(record.value("like") ?? "")")
        case .ignored: self.init(.skipped, photo, ": ignored, not a picture")
        default: return nil
        }
    }
}
