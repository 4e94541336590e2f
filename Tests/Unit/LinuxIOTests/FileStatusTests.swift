import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct FileStatusTests {
    private let folder = TemporaryFolder()

    private func status(_ name: String) throws -> FileStatus {
        let root = try OwnedDescriptor(opening: folder.path)
        return try FileStatus(of: Array(name.utf8), in: root.raw)
    }

    @Test("File types are distinguished, and links are not followed")
    func kinds() throws {
        try folder.write([1, 2, 3], to: "sub/file")
        try folder.link("link", to: "sub")
        try folder.makeFIFO("pipe")
        #expect(try status("sub").kind == .folder)
        #expect(try status("sub/file").kind == .regular)
        #expect(try status("link").kind == .link)
        #expect(try status("pipe").kind == .fifo)
        let devices = try OwnedDescriptor(opening: "/dev")
        #expect(try FileStatus(of: Array("null".utf8), in: devices.raw).kind == .device)
    }

    @Test("An identity changes with every write, rename and replacement, and only then")
    func identity() throws {
        try folder.write([1, 2, 3], to: "a")
        let first = try status("a").identity
        #expect(try status("a").identity == first)
        #expect(first.size == 3)
        #expect(first.modified > 1_600_000_000_000_000_000)
        // The file system's clock ticks every few milliseconds: a change within one tick may not change the times.
        usleep(20_000)
        try folder.rename("a", to: "b")
        let renamed = try status("b").identity
        #expect(renamed.inode == first.inode)
        #expect(renamed.modified == first.modified)
        #expect(renamed != first)
        try folder.write([1, 2, 3], to: "c")
        #expect(try status("c").identity.inode != first.inode)
    }

    @Test("A descriptor and a name give the same identity")
    func sameByDescriptor() throws {
        try folder.write([9], to: "a")
        let file = try OwnedDescriptor(opening: folder["a"])
        #expect(try FileStatus(ofDescriptor: file.raw) == status("a"))
    }
}
