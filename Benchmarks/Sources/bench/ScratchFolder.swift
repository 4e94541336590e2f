import Foundation

/// The folder all measurements work in: empty at first, gone at the end.
struct ScratchFolder {
    private static let marker = ".stickerd-bench"
    private let root: String

    /// - Throws: `BenchError` where the folder holds what no bench has put there.
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

    /// An empty folder of that name.
    func folder(_ name: String) throws -> String {
        let path = path(of: name)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Removes the folder and all in it; what cannot be removed stays.
    func remove() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
