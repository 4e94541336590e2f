import Foundation
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Names in a folder")
struct FolderEntriesTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write([1], to: "from/a")
        try folder.write([2], to: "to/b")
    }

    @Test("A hard link replaces a file, even itself, and leaves no other name")
    func link() throws {
        let from = try open("from")
        let to = try open("to")
        for _ in 0..<2 {
            try from.link(Array("a".utf8), as: Array("b".utf8), in: to)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder["to"].string) == ["b"])
            #expect(
                try FileStatus(of: folder["to/b"]).identity.inode == FileStatus(of: folder["from/a"]).identity.inode)
        }
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try from.link(Array("c".utf8), as: Array("b".utf8), in: to)
        }
        #expect(throws: Errno.isDirectory) {
            try folder.makeFolder("to/c")
            try from.link(Array("a".utf8), as: Array("c".utf8), in: to)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["to"].string).sorted() == ["b", "c"])
    }

    @Test("Only empty folders are removed")
    func removal() throws {
        let top = try open(".")
        #expect(try !top.removeEmptyFolder(Array("from".utf8)))
        #expect(try open("from").removeFile(Array("a".utf8)))
        #expect(try !open("from").removeFile(Array("a".utf8)))
        #expect(try top.removeEmptyFolder(Array("from".utf8)))
        #expect(try !top.removeEmptyFolder(Array("from".utf8)))
    }

    @Test("A draft's time is kept when it gets its name", arguments: [0, 1_700_000_000_123_456_789, -1])
    func time(_ nanoseconds: Int64) throws {
        let draft = try DraftFile(in: folder["to"])
        try draft.setModified(nanoseconds)
        try draft.publish(as: "c")
        #expect(try FileStatus(of: folder["to/c"]).identity.modified == nanoseconds)
    }

    private func open(_ name: String) throws -> OwnedDescriptor {
        try OwnedDescriptor(opening: folder[name], options: .directory)
    }
}
