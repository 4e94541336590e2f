import Foundation
import Glibc
import Logging
import Systemd

/// Writes the log to a terminal: one line for each photo, other events with their time.
struct TerminalLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let screen: TerminalScreen
    private let destination: LogDestination

    init(screen: TerminalScreen, destination: LogDestination, level: Logger.Level) {
        self.screen = screen
        self.destination = destination
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var handler = JournalLogHandler(destination: destination, level: logLevel)
        handler.metadata = metadata
        handler.metadataProvider = metadataProvider
        let record = handler.record(of: event)
        if let line = PhotoLine(record) {
            screen.print(line)
        } else {
            screen.print(destination.line(record, at: time(nil)))
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
