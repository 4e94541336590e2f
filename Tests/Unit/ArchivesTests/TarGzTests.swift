import Foundation
import LinuxIO
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite("The gzipped tar's format", .timeLimit(.minutes(1)))
struct TarGzTests {
    private let folder = TemporaryFolder()

    private func archive(_ files: [(name: String, data: [UInt8])], comment: String = "") throws -> [UInt8] {
        var tar = TarGz(comment: comment)
        var bytes = tar.begin()
        for file in files { bytes += try tar.entry(named: file.name, file.data) }
        return bytes + tar.end()
    }

    /// Sizes at the ends of tar's blocks and of gzip's.
    private static let samples: [(name: String, data: [UInt8])] = [
        ("a.png", Array("hello".utf8)), ("empty", []), ("block", [UInt8](repeating: 1, count: 512)),
        ("more", [UInt8](repeating: 2, count: 513)), ("stored", [UInt8](repeating: 3, count: 0xFFFF - 512)),
        ("large", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }),
        (String(repeating: "n", count: 100), Array("longest".utf8)),
    ]

    @Test("GNU tar reads back the same names, bytes, modes and times, without a warning")
    func gnuTar() throws {
        try folder.write(archive(Self.samples, comment: "abc"), to: "a.tar.gz")
        let list = try run("tar", ["--numeric-owner", "-tvzf", folder["a.tar.gz"].string])
        #expect(list.status == 0)
        let expected = Self.samples.map { "-rw-r--r-- 0/0 \($0.data.count) 1980-01-01 00:00 \($0.name)" }
        #expect(list.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == expected)
        let extracted = try run("tar", ["-xzf", folder["a.tar.gz"].string, "-C", folder.path.string])
        #expect(extracted.status == 0 && extracted.output.isEmpty)
        for file in Self.samples {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder[file.name].string))
            #expect(Array(data) == file.data, "\(file.name)")
        }
    }

    @Test("The same files are the same bytes, whenever they are written")
    func sameBytes() throws {
        let bytes = try archive(Self.samples, comment: "comment")
        #expect(try archive(Self.samples, comment: "comment") == bytes)
        // RFC 1952, 2.3.1: MTIME 0 is no time.
        #expect(bytes[4..<8] == [0, 0, 0, 0])
    }

    @Test("A name that the header has no room for is refused")
    func longName() throws {
        var tar = TarGz(comment: "")
        #expect(throws: Errno.fileNameTooLong) { try tar.entry(named: String(repeating: "ü", count: 51), []) }
    }

    @Test("An archive on disk is whole with its comment, and is not if a byte differs, is missing, or is too many")
    func whole() throws {
        let bytes = try archive(Self.samples, comment: "abcd")
        #expect(try check(bytes, 4) == true && check(bytes, 4, "abce") == false && check(bytes, 3) == nil)
        for cut in [1, 8, 9, 1000, 60_000] { #expect(try check(Array(bytes.dropLast(cut)), 4) == false, "\(cut)") }
        #expect(try check(bytes + [0], 4) == false)
        for place in [15, 16, 18, 600, bytes.count / 2, bytes.count - 9, bytes.count - 1] {
            var changed = bytes
            changed[place] ^= 1
            #expect(try check(changed, 4) == false, "\(place)")
        }
        for other in [[1, 2, 3], [UInt8](repeating: 0, count: 5000)] { #expect(try check(other, 4) == nil) }
    }

    private func check(_ bytes: [UInt8], _ commentLength: Int, _ expected: String = "abcd") throws -> Bool? {
        try folder.write(bytes, to: "a")
        return try WholeArchive.check(try RegularFile.open(folder["a"]), commentLength: commentLength) { comment, _ in
            comment == expected
        }
    }
}
