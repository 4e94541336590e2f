import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct DirectoryScanTests {
    @Test("A scan returns every name as bytes with its kind, and follows no link")
    func names() throws {
        let folder = TemporaryFolder()
        let strange: [UInt8] = [0xFF, 0x0A, 0x5C]
        try folder.write([1], to: "sub/inside")
        try folder.link("link", to: "sub")
        try folder.makeFIFO("pipe")
        let root = try OwnedDescriptor(opening: folder.path, options: .directory)
        do { _ = try OwnedDescriptor(opening: strange, in: root.raw, .writeOnly, options: [.create]) }
        // Twice: a scan starts at the beginning, regardless of earlier ones.
        for _ in 0..<2 {
            var found: [[UInt8]: FileKind] = [:]
            var scan = try DirectoryScan(of: root.raw)
            while let entry = try scan.next() { found[entry.name] = entry.kind }
            let expected: [[UInt8]: FileKind] = [
                strange: .regular, Array("sub".utf8): .folder, Array("link".utf8): .link, Array("pipe".utf8): .fifo,
            ]
            #expect(found == expected)
        }
    }

    @Test("Only a folder can be scanned")
    func notAFolder() throws {
        let folder = TemporaryFolder()
        try folder.write([1], to: "file")
        let file = try OwnedDescriptor(opening: folder["file"])
        let raw = file.raw
        #expect(throws: Errno.notDirectory) { _ = try DirectoryScan(of: raw) }
    }
}
