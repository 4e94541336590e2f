import Foundation
import LinuxIO
import PhotoLibrary
package import SystemPackage

/// The output of `stickerd status`.
package struct StatusReport: Sendable {
    private let status: LibraryStatus
    private let isRunning: Bool
    /// Nil if no daemon is running, or if its text in the state folder is missing or invalid.
    private let daemon: DaemonStatus?

    /// - Throws: `LibraryError` if the state folder has no readable Library.
    package init(state: FilePath) throws {
        status = try PhotoLibrary.status(in: state)
        let text = PhotoLibrary.lockText(in: state)
        isRunning = text != nil
        daemon = text.flatMap { DaemonStatus(decoding: $0) }
    }

    /// One line per count, one for the daemon, and one per condition that it waits for.
    package var text: String {
        let counts =
            FileState.allCases.map { ($0.rawValue, status.photos[$0, default: 0]) } + [("stickers", status.stickers)]
        let rows = counts.map { ($0, "\($1)") } + [("daemon", daemonLine)] + waitingLines.map { ("waiting", $0) }
        let lines = rows.map { name, value in name + String(repeating: " ", count: 12 - name.count) + value }
        return (lines + (status.scanning ? ["still reading the inbox"] : [])).joined(separator: "\n")
    }

    private var daemonLine: String {
        guard isRunning else { return "not running" }
        guard let daemon else { return "running (no details: it is starting, or verify --repair is running)" }
        return "running since \(daemon.since.formatted(.iso8601)) (process \(daemon.pid))"
    }

    private var waitingLines: [String] {
        guard let daemon else { return [] }
        let more = daemon.unlisted.map { ["for \($0) more conditions, not listed here"] } ?? []
        return daemon.waiting.map { "\($0.message): \($0.reason)" } + more
    }

    /// `{"daemon": {"running": true, …}, "photos": {"pending": 0, …}, "scanning": false, "stickers": 12}`.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.dateEncodingStrategy = .iso8601
            let photos = Dictionary(uniqueKeysWithValues: status.photos.map { ($0.key.rawValue, $0.value) })
            let report = Report(
                daemon: .init(
                    running: isRunning, pid: daemon?.pid, since: daemon?.since, waiting: daemon?.waiting,
                    unlisted: daemon?.unlisted),
                photos: photos, scanning: status.scanning, stickers: status.stickers)
            return String(decoding: try encoder.encode(report), as: UTF8.self)
        }
    }

    private struct Report: Encodable {
        /// All members but `running` are omitted if they are unknown.
        struct Daemon: Encodable {
            let running: Bool
            let pid: Int32?
            let since: Date?
            let waiting: [DaemonStatus.Waiting]?
            let unlisted: Int?
        }

        let daemon: Daemon
        let photos: [String: Int]
        let scanning: Bool
        let stickers: Int
    }
}

/// The output of `stickerd explain`: the history of one photo, in the order of events.
package struct Explanation: Sendable {
    private let story: PhotoStory

    /// - Parameter name: of a file, as on the command line.
    /// - Returns: nil if the Library has no such photo.
    /// - Throws: `LibraryError` if the state folder has no readable Library.
    package init?(of name: FilePath, settings: Settings) throws {
        guard let story = try PhotoStory.read(of: settings.inboxName(of: name), in: settings.state) else { return nil }
        self.story = story
    }

    /// Several lines, the last one without a line feed; times are UTC.
    package var text: String {
        ([(story.path, "")] + rows).map { name, value in
            value.isEmpty ? name : "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + value
        }.joined(separator: "\n")
    }

    private var rows: [(String, String)] {
        var rows = [("state", story.state.rawValue + (story.reason.map { ": \($0)" } ?? ""))]
        rows.append(("since", time(story.since)))
        if let seen = story.seen { rows.append(("seen", "\(time(seen)), \(story.bytes) bytes")) }
        if let photo = story.photo { rows.append(("photo", photoLine(photo))) }
        // The Library keeps the photo and its stickers after the file's history is deleted.
        if let first = story.photoFirstSeen, let seen = story.seen, first < seen {
            rows.append(("known since", time(first)))
        }
        for attempt in story.attempts { rows.append(("tried", line(attempt))) }
        if story.crashes > 0 {
            rows.append(("alone", "crashed a worker or stickerd \(story.crashes) times; runs alone"))
        }
        for (sticker, isPublished) in story.stickers {
            let size = "\(sticker.width) × \(sticker.height) pixels, \(sticker.bytes) bytes"
            rows.append(
                (
                    "sticker",
                    "\(file(sticker)), " + (isPublished ? "\(size), since \(time(sticker.added))" : "not in the outbox")
                ))
        }
        if let source = story.source { rows.append(("made from", source)) }
        for other in story.otherFiles { rows.append(("same photo", "\(other.path) (\(other.state.rawValue))")) }
        if let original = story.original { rows.append(("original", line(original))) }
        return rows
    }

    private func photoLine(_ photo: String) -> String {
        let size = story.width.flatMap { width in story.height.map { ", \(width) × \($0) pixels" } } ?? ""
        return "sha256:\(photo)" + (story.format.map { ", \($0)" } ?? "") + size
    }

    private func line(_ attempt: PhotoStory.Attempt) -> String {
        let start = time(attempt.started)
        guard let finished = attempt.finished else { return "\(start), in progress" }
        let seconds = finished.timeIntervalSince(attempt.started).formatted(.number.precision(.fractionLength(1)))
        return "\(start), \(seconds) s: \(attempt.outcome ?? "")" + (attempt.detail.map { " (\($0))" } ?? "")
    }

    private func line(_ original: Original) -> String {
        let place = original.target.map { InboxPath(bytes: $0.bytes).description } ?? ""
        switch (original.outcome, original.finished) {
        case (.moved?, let date?): return "moved to \(place), \(time(date))"
        case (.removed?, let date?): return "removed, \(time(date))"
        case (.gone?, let date?): return "no longer in the inbox, \(time(date))"
        default: return original.action == .remove ? "will be removed" : "will be moved"
        }
    }

    private func file(_ sticker: StickerRecord) -> String {
        sticker.pack.isEmpty ? sticker.file : "\(sticker.file) in the pack \(sticker.pack)"
    }

    private func time(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
