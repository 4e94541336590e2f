import LinuxIO
import OutboxLayout
import PackLedger
import PhotoLibrary

/// What stickerd wrote, or is about to write, to an export's folder, so that it never removes another's file. The list
/// in the folder (`FileList`) outlives the Library, whose ledger outlives a deleted list, and knows the files'
/// contents.
struct ExportLedger {
    /// The Library's rows of an export of a pack.
    struct Rows {
        let library: Library
        let pack: String
        let export: String

        /// A file's path in the ledger.
        func file(_ path: ExportPath) -> String { prefix + path.text }

        fileprivate var prefix: String { OutboxSubfolder.exports.file("\(export)/") }
        fileprivate var part: LedgerPart { .export(export) }
    }

    private var list: FileList
    private let folder: OpenFolder
    private let rows: Rows?
    /// The list's own row, whose key is the number of its files.
    private var listed: LedgerEntry?
    /// The reason why the export is withheld, which earlier builds did not list.
    private let reason: Set<ExportPath>
    private var entries: [ExportPath: LedgerEntry] = [:]

    /// - Parameter rows: nil for a folder that no Library has a ledger of.
    init(in folder: OpenFolder, _ rows: Rows?) async throws(ExportTrouble) {
        self.folder = folder
        self.rows = rows
        reason = try folder.status(of: ExportFiles.reason)?.kind == .regular ? [.reason] : []
        guard let rows else {
            list = try FileList(in: folder)
            return
        }
        let known = try await Self.asking { try await rows.library.ledger(ofPack: rows.pack, [rows.part]) }
        for entry in known[rows.part] ?? [] {
            let name = String(entry.file.dropFirst(rows.prefix.count))
            if name == ExportFiles.list { listed = entry }
            if let path = ExportPath(name) { entries[path] = entry }
        }
        let stamp = try folder.status(of: ExportFiles.list).flatMap { FileStamp($0) }
        // Each row's file is in the list, and after a rebuild of the Library others, too.
        let isKnown = stamp != nil && stamp == listed?.stamp && listed?.key == String(entries.count)
        list = try FileList(in: folder, known: isKnown ? Set(entries.keys) : nil)
    }

    /// All files that may be stickerd's.
    var paths: Set<ExportPath> { list.paths.union(entries.keys).union(reason) }

    /// The key of a file's contents, if the Library knows that it is as it was written.
    func key(of path: ExportPath, _ status: FileStatus) -> String? {
        guard let entry = entries[path], let stamp = entry.stamp, stamp == FileStamp(status) else { return nil }
        return entry.key
    }

    /// Adds files before they are written, durably.
    mutating func intend(_ paths: [ExportPath]) async throws(ExportTrouble) {
        try list.add(paths, isOnly: rows == nil)
        guard let rows, !paths.isEmpty else { return }
        let new = paths.map { LedgerEntry(file: rows.file($0), key: "") }
        try await Self.asking {
            try await rows.library.record([rows.part: new], ofPack: rows.pack, isWhole: false)
        }
        for (path, entry) in zip(paths, new) { entries[path] = entry }
    }

    /// Leaves only these files, of which some are as they were written just now; the others have been removed.
    mutating func keep(
        _ kept: Set<ExportPath>, _ written: [(path: ExportPath, key: String, stamp: FileStamp)] = []
    ) async throws(ExportTrouble) {
        try list.replace(with: kept)
        guard let rows else { return }
        var new = written.map { LedgerEntry(file: rows.file($0.path), key: $0.key, stamp: $0.stamp) }
        var gone = entries.keys.filter { !kept.contains($0) }.map(rows.file)
        let stamp = try folder.status(of: ExportFiles.list).flatMap { FileStamp($0) }
        let row = LedgerEntry(file: rows.prefix + ExportFiles.list, key: String(kept.count), stamp: stamp)
        if stamp != nil, row != listed { new.append(row) }
        if stamp == nil, listed != nil { gone.append(row.file) }
        guard !new.isEmpty || !gone.isEmpty else { return }
        try await Self.asking {
            try await rows.library.record([rows.part: new], ofPack: rows.pack, isWhole: false, without: gone)
        }
    }

    /// Records the files about all exports of a pack, by their paths in its folder, so that an audit finds changes of
    /// others. Those that are missing are forgotten.
    static func record(
        _ shared: [(file: String, key: String, identity: FileIdentity?)], of pack: String, in library: Library
    ) async throws(ExportTrouble) {
        let there = shared.compactMap { file in
            file.identity.map { LedgerEntry(file: file.file, key: file.key, stamp: FileStamp($0)) }
        }
        let missing = shared.filter { $0.identity == nil }.map(\.file)
        try await asking {
            try await library.record([.export(""): there], ofPack: pack, isWhole: false, without: missing)
        }
    }

    /// An answer of the Library, whose errors concern the ledger.
    static func asking<Answer>(_ body: () async throws -> Answer) async throws(ExportTrouble) -> Answer {
        do { return try await body() } catch {
            throw ExportTrouble(.notYet, "the Library's ledger of exports cannot be used: \(error)")
        }
    }
}
