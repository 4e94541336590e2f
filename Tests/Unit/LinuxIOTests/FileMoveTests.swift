import Foundation
import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Moving and removing files")
struct FileMoveTests {
    private let folder = TemporaryFolder()

    private func contents() throws -> [String: String] {
        try folder.names().reduce(into: [:]) { $0[$1] = folder.text(of: $1) }
    }

    /// Renames another file to `name`, like editors and downloads do when they finish.
    private func replace(_ name: String) {
        do {
            try folder.write("another", to: "draft")
            try folder.rename("draft", to: name)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A file replaced between the check and the removal is not removed")
    func replacedBeforeRemoval() throws {
        try folder.write("photo", to: "a")
        let expected = try FileStatus(of: folder["a"]).identity.inode
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        var checks = 0
        try FileMove.remove(Array("a".utf8), in: open.raw) { status in
            checks += 1
            if checks == 1 { replace("a") }
            return status.identity.inode == expected
        }
        #expect(try contents() == ["a": "another"])
    }

    @Test("If the name is taken before a file gets it back, neither file is lost")
    func nameTaken() throws {
        try folder.write("photo", to: "a.png")
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        var checks = 0
        let isRemoved = try FileMove.remove(Array("a.png".utf8), in: open.raw) { _ in
            checks += 1
            if checks == 2 { replace("a.png") }
            return checks == 1
        }
        #expect(!isRemoved)
        #expect(try contents() == ["a.png": "another", "a-2.png": "photo"])
    }

    @Test("Without RENAME_NOREPLACE, a file moves to a free name, and never to one that is taken")
    func reserved() throws {
        try folder.write("photo", to: "a.png")
        try folder.write("another", to: "b.png")
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        func move(_ name: String, to newName: String) throws(Errno) {
            try FileMove.renameReserving(Array(name.utf8), in: open.raw, to: Array(newName.utf8), in: open.raw)
        }
        #expect(throws: Errno.fileExists) { try move("a.png", to: "b.png") }
        #expect(throws: Errno.noSuchFileOrDirectory) { try move("missing.png", to: "c.png") }
        #expect(try contents() == ["a.png": "photo", "b.png": "another"])
        try move("a.png", to: "c.png")
        #expect(try contents() == ["b.png": "another", "c.png": "photo"])
    }

    @Test("A file that has another name by a hard link moves as a copy: neither affects the other")
    func linked() throws {
        try folder.write("photo", to: "a.png")
        try FileManager.default.linkItem(atPath: folder["a.png"].string, toPath: folder["other"].string)
        func open() throws -> OwnedDescriptor { try OwnedDescriptor(opening: folder.path, options: .directory) }
        let move = FileMove(from: try open(), Array("a.png".utf8), to: try open(), Array("moved.png".utf8))
        #expect(try move.run { $0.kind == .regular })
        try FileHandle(forWritingTo: URL(fileURLWithPath: folder["other"].string)).write(contentsOf: Data("w".utf8))
        #expect(try contents() == ["moved.png": "photo", "other": "whoto"])
    }

    @Test("An interrupted removal is completed, or undone for another file", arguments: [true, false])
    func resumed(isExpected: Bool) throws {
        let aside = AtomicFile.asideName("1-2")
        try folder.write("photo", to: String(decoding: aside, as: UTF8.self))
        #expect(AtomicFile.asideKey(aside) == "1-2" && AtomicFile.isTemporary(aside))
        #expect(try AtomicFile.removeLeftovers(in: folder.path) == 0)
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        #expect(try FileMove.remove(Array("a".utf8), in: open.raw, aside: aside) { _ in isExpected } == isExpected)
        #expect(try contents() == (isExpected ? [:] : ["a": "photo"]))
    }

    @Test("However many files have a name, another one gets a number within 200 tries")
    func manyOfOneName() throws {
        let name = Array("snapshot.jpg".utf8)
        var taken: Set<[UInt8]> = []
        for _ in 0..<400 {
            let tried = Array(NumberedName.candidates(for: name))
            #expect(tried.count == 200)
            taken.insert(try #require(tried.first { !taken.contains($0) }))
        }
        #expect(taken.contains(name) && taken.contains(Array("snapshot-100.jpg".utf8)))
    }

    @Test("A name that is nearly all ending is numbered, too")
    func longEnding() {
        let name = Array("a.".utf8) + [UInt8](repeating: UInt8(ascii: "j"), count: 253)
        let tried = Array(NumberedName.candidates(for: name, room: 11))
        #expect(Set(tried).count == tried.count && tried.allSatisfy { $0.count <= NumberedName.maxBytes - 11 })
    }
}
