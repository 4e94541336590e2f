import FileNames
import LinuxIO
import OutboxLayout

/// `files.txt`: the files of an export that stickerd wrote or is about to write, so that it never removes another's.
struct FileList {
    /// A larger file is no list of ours.
    private static let maxBytes = 64 << 20

    private let folder: OpenFolder
    private(set) var paths: Set<ExportPath>
    /// Whether the file ends with a whole line.
    private var hasWholeLines: Bool

    /// - Parameter known: what the file has, if that is known; otherwise it is read. Lines that are no paths are
    ///   ignored.
    init(in folder: OpenFolder, known: Set<ExportPath>? = nil) throws(ExportTrouble) {
        self.folder = folder
        if let known {
            (paths, hasWholeLines) = (known, true)
            return
        }
        let bytes = try folder.contents(of: ExportFiles.list, upTo: Self.maxBytes) ?? []
        let newline = UInt8(ascii: "\n")
        hasWholeLines = bytes.last.map { $0 == newline } ?? true
        // A line that a crash cut off may be another file's path; its own file was not written.
        let lines = bytes.prefix(upTo: bytes.lastIndex(of: newline) ?? 0).split(separator: newline)
        paths = Set(lines.compactMap { ExportPath(String(decoding: $0, as: UTF8.self)) })
    }

    /// Adds paths before their files are written.
    ///
    /// - Parameter isOnly: whether nothing else knows them: then a power cut must not lose them.
    mutating func add(_ new: [ExportPath], isOnly: Bool) throws(ExportTrouble) {
        let missing = Set(new).subtracting(paths)
        guard !missing.isEmpty else { return }
        guard hasWholeLines else { return try write(paths.union(missing)) }
        try folder.append(Self.lines(missing), to: ExportFiles.list, isDurable: isOnly)
        paths.formUnion(missing)
    }

    /// Leaves only these paths; without any, removes the list.
    mutating func replace(with new: Set<ExportPath>) throws(ExportTrouble) {
        guard !new.isEmpty else {
            paths = []
            try folder.remove(ExportFiles.list)
            return
        }
        guard new != paths else { return }
        try write(new)
    }

    private mutating func write(_ new: Set<ExportPath>) throws(ExportTrouble) {
        try folder.write(Self.lines(new), named: ExportFiles.list)
        paths = new
        hasWholeLines = true
    }

    private static func lines(_ paths: Set<ExportPath>) -> [UInt8] {
        paths.map { ExactName($0.text) }.sorted().flatMap { Array(($0.text + "\n").utf8) }
    }
}
