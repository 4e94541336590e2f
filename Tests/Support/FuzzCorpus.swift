import Foundation

/// The initial files of the fuzzing, and those that once failed: a folder for each decoder.
package enum FuzzCorpus {
    private static let folder = Repository.root.appending(path: "Tests/Fuzz/corpus")
    /// Folders whose files are not photos.
    private static let others: Set = ["icc", "model"]

    /// The photo formats' decoders: `photo_decode_…` without the prefix.
    package static var decoders: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names?.filter { !others.contains($0) } ?? []
    }

    package static func names(in decoder: String) -> [String] {
        let path = folder.appendingPathComponent(decoder).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    package static func bytes(of name: String, in decoder: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(decoder).appendingPathComponent(name)))
    }

    /// An ICC profile; the first byte of these files is the kind of colors to test it with.
    package static func profile(_ name: String) throws -> [UInt8] { Array(try bytes(of: name, in: "icc").dropFirst()) }
}
