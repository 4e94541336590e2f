import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    private let folder = TemporaryFolder()

    private func names() throws -> Set<String> { Set(try folder.names()) }

    @Test("A write replaces the whole file", arguments: [0, 1, 3_000_000])
    func writes(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try AtomicFile.write(Array("old".utf8), named: "pack.json", in: folder.path)
        try AtomicFile.write(bytes, named: "pack.json", in: folder.path)
        let file = try OwnedDescriptor(opening: folder["pack.json"])
        #expect(try FileStatus(ofDescriptor: file.raw).identity.size == Int64(count))
        let written = try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max)
        #expect(try written == ContentDigest.sha256(of: bytes))
        #expect(try names() == ["pack.json"])
    }

    @Test("Several files are written together")
    func writesSeveral() throws {
        try AtomicFile.write(Array("old".utf8), named: "b", in: folder.path)
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        try AtomicFile.write([("a", Array("A".utf8)), ("b", Array("B".utf8))], in: open, mode: [.ownerReadWrite])
        #expect(folder.text(of: "a") == "A" && folder.text(of: "b") == "B")
        #expect(try names() == ["a", "b"])
        #expect(try folder.mode(of: "a") == 0o600)
    }

    @Test("Several files are removed together, except missing ones and folders")
    func removesSeveral() throws {
        for name in ["a", "b", "c", "d/e"] { try folder.write([1], to: name) }
        let open = try OwnedDescriptor(opening: folder.path, options: .directory)
        try AtomicFile.remove(["missing", "a", "d", "c"], in: open)
        #expect(try names() == ["b", "d"])
    }

    @Test("A failed write leaves the name unchanged and no temporary file")
    func failure() throws {
        try folder.write([1], to: "taken/inside")
        #expect(throws: Errno.self) { try AtomicFile.write([1], named: "taken", in: folder.path) }
        #expect(try names() == ["taken"])
        #expect(throws: Errno.noSuchFileOrDirectory) { try AtomicFile.write([1], named: "a", in: folder["none"]) }
    }

    @Test("Leftovers are removed, everything else stays")
    func leftovers() throws {
        for name in [".stickerd-1f.tmp", ".stickerd-.tmp", "photo.tmp", ".stickerd-notes", "stickerd-1.tmp"] {
            try folder.write([1], to: name)
        }
        #expect(try AtomicFile.removeLeftovers(in: folder.path) == 2)
        #expect(try names() == ["photo.tmp", ".stickerd-notes", "stickerd-1.tmp"])
    }

    @Test("A draft has no name before it is published, if the file system knows files without")
    func nameless() throws {
        // O_TMPFILE, which Swift does not import.
        let isPossible = unsafe open(folder.path.string, 0o20_200_000 | O_WRONLY, 0o600) >= 0
        let draft = try DraftFile(in: folder.path)
        try draft.write([1])
        #expect(try names().isEmpty == isPossible)
        DraftFile.removeAll()
        #expect(try names().isEmpty)
        if isPossible {
            try draft.publish(as: "a")
            #expect(try names() == ["a"])
        }
    }

    @Test("The draft of a running process is kept")
    func inUse() throws {
        do {
            let lock = try FileLock(at: folder[".stickerd-77.tmp"])
            #expect(try AtomicFile.removeLeftovers(in: folder.path) == 0)
            _ = consume lock
        }
        #expect(try AtomicFile.removeLeftovers(in: folder.path) == 1)
    }

    @Test("A draft stays in the folder that was opened, even if its path leads elsewhere")
    func moved() throws {
        try folder.write([], to: "disk/here")
        try folder.write([], to: "mount point/there")
        let draft = try DraftFile(
            in: try OwnedDescriptor(opening: folder["disk"], options: .directory), mode: [.ownerReadWrite])
        try folder.rename("disk", to: "elsewhere")
        try folder.rename("mount point", to: "disk")
        try draft.write([1])
        try draft.publish(as: "a")
        #expect(folder.exists("elsewhere/a") && !folder.exists("disk/a"))
    }
}
