import Foundation

/// The files that the fuzzing begins with, and those it failed on once.
enum FuzzCorpus {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/corpus")

    static func names(in decoder: String) -> [String] {
        let path = folder.appendingPathComponent(decoder).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    static func bytes(of name: String, in decoder: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(decoder).appendingPathComponent(name)))
    }

    /// An ICC profile; the first byte of those files says for which kind of colors it is tried.
    static func profile(_ name: String) throws -> [UInt8] { Array(try bytes(of: name, in: "icc").dropFirst()) }
}
