import Foundation
import TestSupport

/// The initial files for fuzzing, and those that once failed.
enum FuzzCorpus {
    private static let folder = Repository.root.appending(path: "Tests/Fuzz/corpus")

    static func names(in decoder: String) -> [String] {
        let path = folder.appendingPathComponent(decoder).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    static func bytes(of name: String, in decoder: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(decoder).appendingPathComponent(name)))
    }

    /// An ICC profile; the first byte of the file selects the kind of colors to test it with.
    static func profile(_ name: String) throws -> [UInt8] { Array(try bytes(of: name, in: "icc").dropFirst()) }
}
