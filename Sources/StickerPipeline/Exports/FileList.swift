import LinuxIO
import PhotoLibrary

/// `files.txt`: the files of an export that stickerd wrote or is about to write, so that it never removes another's.
struct FileList {
    /// A larger file is no list of ours.
    private static let maxBytes = 64 << 20

    private let folder: ExportFolder
    private(set) var paths: Set<ExportPath>

    /// Lines that are no paths are ignored.
    init(in folder: ExportFolder) throws(ExportTrouble) {
        self.folder = folder
        let bytes = try folder.contents(of: ExportFiles.list, upTo: Self.maxBytes) ?? []
        paths = Set(
            bytes.split(separator: UInt8(ascii: "\n")).compactMap { ExportPath(String(decoding: $0, as: UTF8.self)) })
    }

    /// Adds paths before their files are written, durably.
    mutating func add(_ new: [ExportPath]) throws(ExportTrouble) {
        let all = paths.union(new)
        guard all.count > paths.count else { return }
        try write(all)
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
        let lines = new.map { ExactName($0.text) }.sorted().map { $0.text + "\n" }
        try folder.write(lines.flatMap { Array($0.utf8) }, named: ExportFiles.list)
        paths = new
    }
}
