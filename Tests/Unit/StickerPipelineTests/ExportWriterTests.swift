import Foundation
import Glibc
import LinuxIO
import PackExports
import StickerStudio
import Synchronization
import SystemPackage
import Testing
import TestSupport

@testable import Exports

@Suite("Files of exports", .timeLimit(.minutes(1)))
struct ExportWriterTests {
    private let fixture = ExportFixture()

    @Test("An export has its files, their list and the names, and nothing else")
    func complete() async throws {
        let result = try await fixture.export()
        #expect(result.files == 5 && result.written == 5 && result.pictures == 3 && result.notes == ["A note."])
        #expect(
            try fixture.files().keys.sorted() == [
                "all.zip", "export.txt", "files.txt", "list.txt", "names.json", "pictures/c0.png", "pictures/c1.png",
                "pictures/c2.png",
            ])
        let picture = "\(ExportFixture.form.identifierOfAnySize): contents of s0.png"
        #expect(fixture.contents("out/pictures/c0.png") == picture)
        #expect(
            fixture.contents("out/files.txt") == """
                all.zip
                list.txt
                pictures/c0.png
                pictures/c1.png
                pictures/c2.png

                """)
    }

    @Test("A removed sticker's files and empty folders are removed; other stickers keep their names; strangers' stay")
    func removed() async throws {
        try await fixture.export(FakeExport(more: ["a/b/c.txt": "deep"]))
        try fixture.folder.write([1], to: "out/pictures/mine.png")
        try fixture.write(["s0.png", "s2.png"])
        try await fixture.export()
        let files = try fixture.files()
        #expect(files["pictures/c0.png"] != nil && files["pictures/c2.png"] != nil)
        #expect(files["pictures/c1.png"] == nil && files["a/b/c.txt"] == nil)
        #expect(files["pictures/mine.png"] != nil)
        #expect(!fixture.folder.exists("out/a"))
    }

    @Test("Removing an export with many folders opens one at a time")
    func manyFolders() async throws {
        let count = 200
        try await fixture.export(
            FakeExport(more: Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)/x.txt", "x") })))
        let most = Mutex(0)
        let before = try Self.openFiles()
        try await fixture.export(isStopping: {
            let now = (try? Self.openFiles()) ?? 0
            most.withLock { $0 = max($0, now) }
            return false
        })
        let left = try fixture.files().keys.filter { $0.hasSuffix("/x.txt") }
        #expect(left.isEmpty)
        #expect(most.withLock { $0 } < before + count / 2)
    }

    private static func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test(
        "Another's file, folder or link in the way is named, and nothing is written",
        arguments: ["file", "folder", "link", "linked folder"])
    func occupied(_ kind: String) async throws {
        switch kind {
        case "file": try fixture.folder.write([1], to: "out/list.txt")
        case "folder": try fixture.folder.makeFolder("out/list.txt")
        case "link": try fixture.folder.link("out/list.txt", to: fixture.folder["pack/s0.png"])
        default:
            try fixture.folder.makeFolder("else")
            try fixture.folder.link("out/pictures", to: fixture.folder["else"])
        }
        let before = try fixture.files().keys.sorted()
        let error = await #expect(throws: ExportTrouble.self) { try await fixture.export() }
        #expect(try fixture.files().keys.sorted() == before)
        let name = kind == "linked folder" ? "out/pictures" : "out/list.txt"
        #expect(error?.kind == .occupied && error?.description.contains("\(fixture.folder[name])") == true)
        #expect(try fixture.files(in: "else").isEmpty)
        #expect(fixture.contents("pack/s0.png") == "contents of s0.png")
    }

    @Test(
        "Paths that lead elsewhere are refused",
        arguments: [
            "../a", "/a", "a//b", "a/./b", "a/b/c/d", "", "a\0b", "a\nb", "files.txt", "NAMES.JSON", ".pictures",
            ".stickerd-1.tmp", "a\\b", String(repeating: "a", count: 256),
        ])
    func paths(_ path: String) async throws {
        #expect(ExportPath(path) == nil)
        let error = await #expect(throws: ExportTrouble.self) {
            try await fixture.export(FakeExport(more: [path: "x"]))
        }
        #expect(error?.kind == .invalid)
        #expect(ExportPath("a/b/c.png") != nil)
        #expect(ExportPath("../\u{301}a.png") == nil && ExportPath("a/\u{301}b.png")?.folders == ["a"])
    }

    @Test("After a stop at any moment every file is whole, and the next run completes the export")
    func stops() async throws {
        try await fixture.export()
        let whole = try contents()
        try fixture.write(["s0.png", "s2.png", "s3.png", "s4.png"])
        var steps = 0
        var isDone = false
        while !isDone {
            let allowed = steps
            var asked = 0
            do {
                try await fixture.export {
                    asked += 1
                    return asked > allowed
                }
                isDone = true
            } catch let error as ExportTrouble {
                #expect(error.kind == .stopped)
            }
            for (name, text) in try contents() where name.hasSuffix(".png") || name.hasSuffix(".txt") {
                #expect(text.hasPrefix(ExportFixture.form.identifierOfAnySize) || !name.hasSuffix(".png"), "\(name)")
                #expect(!name.contains(".stickerd-") || !name.hasSuffix(".tmp"))
            }
            steps += 1
            try #require(steps < 500)
        }
        #expect(steps > 10)
        let end = try contents()
        #expect(end != whole)
        let fresh = ExportFixture(stickers: 0)
        try fresh.write(["s0.png", "s2.png", "s3.png", "s4.png"])
        try fresh.folder.write(fixture.contents("out/names.json") ?? "", to: "out/names.json")
        try await fresh.export()
        #expect(try contents(fresh) == end)
    }

    @Test("A sticker whose worker is killed is tried again; if that does not help, nothing changes", arguments: [1, 9])
    func killed(times: Int) async throws {
        try await fixture.export()
        let before = try fixture.files()
        fixture.maker.kill("contents of s1.png", times: times)
        if times == 1 {
            #expect(try await fixture.export().leftOut == 0)
        } else {
            let error = await #expect(throws: ExportTrouble.self) { try await fixture.export() }
            #expect(error?.description.contains("s1.png: its worker was killed, 5 times") == true)
        }
        #expect(try fixture.files() == before)
    }

    @Test("A .tar.gz is written once, and again when a picture in it changes")
    func tarGz() async throws {
        try await fixture.export(FakeExport(hasTar: true))
        let before = try #require(try fixture.files()["all.tar.gz"])
        #expect(try await fixture.export(FakeExport(hasTar: true)).written == 0)
        #expect(try fixture.files()["all.tar.gz"] == before)
        try fixture.folder.write("something else", to: "pack/s1.png")
        #expect(try await fixture.export(FakeExport(hasTar: true)).written == 3)
        #expect(try fixture.files()["all.tar.gz"] != before)
        #expect(fixture.contents("out/all.tar.gz")?.contains("something else") == true)
    }

    @Test("An archive's file cannot leave the folder that it is unpacked to")
    func flat() async throws {
        let error = await #expect(throws: ExportTrouble.self) {
            try await fixture.export(FakeExport(hasTar: true, folder: "../"))
        }
        #expect(error?.kind == .invalid)
        #expect(try fixture.files()["all.tar.gz"] == nil)
    }

    @Test("A refused export gives its reason and changes no file")
    func refused() async throws {
        try await fixture.export(FakeExport(needsPublisher: true))
        let before = try fixture.files()
        try fixture.write(["s0.png"], publisher: "")
        let error = await #expect(throws: ExportRefusal.self) {
            try await fixture.export(FakeExport(needsPublisher: true))
        }
        #expect(error?.reason == "Set pack.publisher.")
        #expect(try fixture.files().mapValues(\.contents) == before.mapValues(\.contents))
    }

    @Test("A pack without stickers is refused, whatever the export takes")
    func empty() async throws {
        try fixture.write([])
        let error = await #expect(throws: ExportRefusal.self) { try await fixture.export() }
        #expect(error?.reason == "The pack has no stickers; add photos.")
    }

    @Test("A line of files.txt that a crash cut off is no path")
    func cutLine() async throws {
        try fixture.write(["a.png"])
        try await fixture.export()
        let list = try #require(fixture.contents("out/files.txt"))
        try fixture.folder.write(list + "mine.tx", to: "out/files.txt")
        try fixture.folder.write([1], to: "out/mine.tx")
        try fixture.write(["a.png", "b.png"])
        try await fixture.export()
        #expect(fixture.contents("out/mine.tx") == "\u{1}")
        #expect(fixture.contents("out/files.txt")?.contains("mine") == false)
        try fixture.write(["b.png"])
        try await fixture.export()
        #expect(fixture.contents("out/mine.tx") == "\u{1}")
    }

    @Test("A folder that cannot be written is named")
    func unwritable() async throws {
        try fixture.folder.remove("out")
        let error = await #expect(throws: ExportTrouble.self) { try await fixture.export() }
        #expect(error?.description.contains("\(fixture.folder["out"])") == true)
    }

    private func contents(_ other: ExportFixture? = nil) throws -> [String: String] {
        let fixture = other ?? fixture
        var contents: [String: String] = [:]
        for name in try fixture.files().keys { contents[name] = fixture.contents("out/\(name)") }
        return contents
    }
}

extension FileIdentity {
    /// Without the time of the status, which a removed hard link changes.
    var contents: [Int64] { [Int64(inode), size, modified] }
}
