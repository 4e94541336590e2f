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
}
