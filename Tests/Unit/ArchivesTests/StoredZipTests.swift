import Foundation
import LinuxIO
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite("The ZIP's format")
struct StoredZipTests {
    /// A ZIP of some files, as bytes.
    private func archive(_ files: [(name: String, data: [UInt8])], comment: String = "") -> [UInt8] {
        var zip = StoredZip(comment: comment)
        let moment = Date(timeIntervalSince1970: 1_000_000_001)
        return files.flatMap { zip.entry(named: $0.name, $0.data, sha256: "", modified: moment) } + zip.end()
    }

    @Test("Another program reads back the same names, bytes and times")
    func readBack() throws {
        let folder = TemporaryFolder()
        let files: [(name: String, data: [UInt8])] = [
            ("a.png", Array("hello".utf8)), ("žluť-猫.png", [UInt8](repeating: 7, count: 70_000)), ("empty", []),
        ]
        try folder.write(archive(files, comment: "abc"), to: "a.zip")
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as z:
                assert z.testzip() is None
                print(z.comment.decode())
                for i in z.infolist(): print(i.filename, i.file_size, *i.date_time)
            """
        let read = try run("python3", ["-X", "utf8", "-c", script, folder["a.zip"].string])
        #expect(
            read.output.split(separator: "\n") == [
                "abc", "a.png 5 2001 9 9 1 46 40", "žluť-猫.png 70000 2001 9 9 1 46 40", "empty 0 2001 9 9 1 46 40",
            ])
    }

    @Test("The ZIP's size is known before it is written")
    func size() {
        let files = [(name: "ü.png", data: [UInt8](repeating: 1, count: 99)), (name: "b", data: [])]
        let bytes = archive(files, comment: "comment")
        let size = StoredZip.size(of: files.map { (name: $0.name, bytes: $0.data.count) }, comment: "comment")
        #expect(bytes.count == size)
    }

    @Test("A ZIP on disk has a summary; other files have none")
    func summary() throws {
        let folder = TemporaryFolder()
        try folder.write(archive([("a", [1]), ("b", [2])], comment: "abcd"), to: "good.zip")
        let summary = try readSummary(folder["good.zip"], 4)
        #expect(summary?.comment == "abcd" && summary?.entries == 2)
        try folder.write(Array(archive([("a", [1])], comment: "abcd").dropLast()), to: "short.zip")
        #expect(try readSummary(folder["short.zip"], 4) == nil)
        try folder.write([1, 2, 3], to: "tiny.zip")
        #expect(try readSummary(folder["tiny.zip"], 4) == nil)
        #expect(try readSummary(folder["none.zip"], 4) == nil)
    }

    private func readSummary(_ path: FilePath, _ commentLength: Int) throws -> StoredZip.Summary? {
        guard let file = try? RegularFile.open(path) else { return nil }
        return StoredZip.summary(of: file, commentLength: commentLength)
    }
}
