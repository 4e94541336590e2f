import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import PackLedger
import PhotoLibrary
import PhotoRule
package import SystemPackage

/// The output of `stickerd status`.
package struct StatusReport: Sendable {
    private let library: LibraryReport
    private let isRunning: Bool
    /// Nil if no daemon is running, or if its text in the state folder is missing or invalid.
    private let daemon: DaemonStatus?

    /// - Throws: `LibraryError` if the state folder has no Library, or none that this user may read.
    package init(state: FilePath) throws {
        library = try LibraryReport(of: state)
        (isRunning, daemon) = try DaemonStatus.read(of: state)
    }

    /// The daemon and what it waits for, its folders, the counts that are not 0, the packs, the exports that are
    /// withheld and the failures, with their reasons.
    package var text: String {
        let rows = daemonRows + placeRows + countRows + packRows + withheldRows + failureRows
        return rows.map { name, value in name + String(repeating: " ", count: max(1, 12 - name.count)) + value }
            .joined(separator: "\n")
    }

    private var status: LibraryStatus { library.status }
    private var isScanning: Bool { daemon?.isScanning ?? false }

    private var daemonRows: [(String, String)] {
        [("daemon", daemonLine)] + waitingLines.map { ("waiting", $0) }
            + (isScanning ? [("", "still reading the inbox")] : [])
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

    private var placeRows: [(String, String)] {
        let places = library.places
        return [("inbox", places.inbox), ("outbox", places.outbox), ("settings", places.settingsFile)]
            .compactMap { name, path in path.map { (name, InboxPath(bytes: $0.bytes).description) } }
    }

    private var countRows: [(String, String)] {
        var rows = [("stickers", "\(status.stickers)")]
        if library.outdated > 0 {
            rows.append(("", "\(OutdatedStickers.text(library.outdated)); to remake: stickerd remake"))
        }
        for state in FileState.allCases {
            let count = status.photos[state, default: 0]
            if count > 0 { rows.append((state.rawValue, "\(count)")) }
        }
        return rows
    }

    private var packRows: [(String, String)] {
        guard library.packCount > 1 else { return [] }
        var lines = library.packs.map { pack in
            var parts = [counted(pack.stickers, "sticker")]
            if pack.pending > 0 { parts.append("\(pack.pending) pending") }
            if pack.failed > 0 { parts.append("\(pack.failed) failed") }
            return "\(pack.name.isEmpty ? "(root)" : pack.name): \(parts.joined(separator: ", "))"
        }
        if library.packCount > lines.count { lines.append("and \(library.packCount - lines.count) more packs") }
        return Self.list("packs", lines)
    }

    private var withheldRows: [(String, String)] {
        Self.list("withheld", lines(of: withheld)) + Self.list("incomplete", lines(of: incomplete))
    }

    /// The exports that packs do not have.
    private var withheld: [WithheldExport] { library.withheld.filter { $0.leftOut == nil } }
    /// Those that are written without some stickers.
    private var incomplete: [WithheldExport] { library.withheld.filter { $0.leftOut != nil } }

    private func lines(of exports: [WithheldExport]) -> [String] {
        var lines = exports.prefix(Self.maxWithheld).map { export in
            let pack = export.pack.isEmpty ? "" : " of \(export.pack)"
            return "\(export.export)\(pack): \(export.reason)"
        }
        if exports.count > lines.count { lines.append("and \(exports.count - lines.count) more") }
        return lines
    }

    /// The most withheld exports listed as text, and the most incomplete ones.
    private static let maxWithheld = 100

    private var failureRows: [(String, String)] {
        var lines = library.failures.map { "\($0.path): \($0.reason ?? "unknown")" }
        let more = status.photos[.failed, default: 0] - lines.count
        if more > 0 { lines.append("and \(more) more; pack.json lists those of each pack") }
        return Self.list("failures", lines)
    }

    private static func list(_ name: String, _ lines: [String]) -> [(String, String)] {
        lines.enumerated().map { ($0.offset == 0 ? name : "", $0.element) }
    }

    /// `{"daemon": {"running": true, …}, "photos": {"pending": 0, …}, "scanning": false, "stickers": 12, …}`.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let report = Report(
                daemon: .init(
                    running: isRunning, pid: daemon?.pid, since: daemon?.since, waiting: daemon?.waiting,
                    unlisted: daemon?.unlisted),
                photos: Dictionary(uniqueKeysWithValues: status.photos.map { ($0.key.rawValue, $0.value) }),
                scanning: isScanning, stickers: status.stickers, outdated: library.outdated,
                places: Dictionary(uniqueKeysWithValues: placeRows),
                packs: library.packs, withheld: withheld, incomplete: incomplete, failures: library.failures)
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
        let outdated: Int
        /// Escaped paths; those that are unknown are omitted.
        let places: [String: String]
        let packs: [LibraryReport.Pack]
        let withheld: [WithheldExport]
        let incomplete: [WithheldExport]
        let failures: [LibraryReport.Failure]
    }
}

/// Stickers that were made with other settings or weights than new ones.
enum OutdatedStickers {
    static func text(_ count: Int) -> String {
        "\(counted(count, "sticker")) \(count == 1 ? "was" : "were") made with other settings or weights"
    }
}
