import Foundation

/// The folder of all measurements: empty at the start, removed at the end.
struct ScratchFolder {
    private static let marker = ".stickerd-bench"
    private let root: String

    /// - Throws: `BenchError` if the folder has files that are not from an earlier bench.
    init(path: String) throws {
        root = URL(fileURLWithPath: path).path
        let files = FileManager.default
        if let names = try? files.contentsOfDirectory(atPath: root), !names.isEmpty {
            guard names.contains(Self.marker) else { throw BenchError("\(root) is not empty") }
            try files.removeItem(atPath: root)
        }
        try files.createDirectory(atPath: root, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: self.path(of: Self.marker)))
    }

    func path(of name: String) -> String { root + "/" + name }

    /// A new empty folder with that name.
    func folder(_ name: String) throws -> String {
        let path = path(of: name)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Removes the folder with its contents, without reporting errors.
    func remove() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
