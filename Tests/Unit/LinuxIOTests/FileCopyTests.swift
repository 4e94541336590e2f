import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Copying parts of files")
struct FileCopyTests {
    private let folder = TemporaryFolder()
    private let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    init() throws {
        try folder.write(bytes, to: "source")
    }

    private func target() throws -> OwnedDescriptor {
        try OwnedDescriptor(opening: folder["target"], .readWrite, options: [.create, .truncate])
    }

    @Test("Ranges are appended, and the source's position stays")
    func ranges() throws {
        let source = try OwnedDescriptor(opening: folder["source"])
        let target = try target()
        try target.write([1, 2])
        try target.write(from: source, 4096..<200_001)
        try target.write(from: source, 5..<5)
        try target.write(from: source, 0..<3)
        #expect(try target.read(at: 0, upTo: 1 << 20) == [1, 2] + bytes[4096..<200_001] + bytes[..<3])
        #expect(try source.read(upTo: 4) == Array(bytes[..<4]))
    }

    @Test("If the kernel cannot copy, as into a pipe, the bytes are read and written")
    func pipe() throws {
        let source = try OwnedDescriptor(opening: folder["source"])
        var ends: [Int32] = [-1, -1]
        // The array outlives the call and has room for both.
        try #require(unsafe Glibc.pipe(&ends) == 0)
        let reading = OwnedDescriptor(owning: ends[0])
        let writing = OwnedDescriptor(owning: ends[1])
        try writing.write(from: source, 100..<5000)
        #expect(try reading.read(upTo: 4900) == Array(bytes[100..<5000]))
    }

    @Test("A source that is too short is an error")
    func short() throws {
        let source = try OwnedDescriptor(opening: folder["source"])
        let target = try target()
        #expect(throws: Errno.ioError) { try target.write(from: source, 299_990..<300_001) }
    }
}
