import Foundation
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
        let more = daemon.unlisted.map { ["for \($0) more conditions"] } ?? []
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
        /// Everything but `running` is left out if it is unknown.
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
