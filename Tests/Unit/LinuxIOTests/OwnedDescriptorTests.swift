import Foundation
import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct OwnedDescriptorTests {
    private let folder = TemporaryFolder()

    @Test("A descriptor is closed with its owner and not inherited")
    func closes() throws {
        try folder.write([1], to: "file")
        var raw: Int32 = -1
        do {
            let file = try OwnedDescriptor(opening: folder["file"])
            raw = file.raw
            #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        }
        // Another test may have opened another file under this number since.
        let ours = (try? FileStatus(ofDescriptor: raw))?.identity
        let root = try OwnedDescriptor(opening: folder.path)
        let file = try FileStatus(of: Array("file".utf8), in: root.raw).identity
        #expect(ours != file)
    }

    @Test(
        "Opening beneath a folder follows no symbolic link",
        arguments: [
            ("a/b/photo", nil), ("a/photo", Errno.noSuchFileOrDirectory), ("link/b/photo", .notDirectory),
            ("a/b/linked", .tooManySymbolicLinkLevels), ("a/../a/b/photo", .invalidArgument), ("", .invalidArgument),
            ("a/b/photo\0x", .invalidArgument),
        ])
    func beneath(path: String, failure: Errno?) throws {
        try folder.write("here", to: "a/b/photo")
        try folder.link("link", to: "a")
        try folder.link("a/b/linked", to: "photo")
        let root = try OwnedDescriptor(opening: folder.path, options: .directory)
        do {
            let text = try OwnedDescriptor(opening: Array(path.utf8), beneath: root.raw).contents()
            #expect(text == "here")
            #expect(failure == nil)
        } catch let error as Errno {
            #expect(error == failure)
        }
    }

    @Test("Opening a FIFO beneath a folder does not wait for a writer", .timeLimit(.minutes(1)))
    func fifo() throws {
        try folder.makeFIFO("pipe")
        let root = try OwnedDescriptor(opening: folder.path, options: .directory)
        let pipe = try OwnedDescriptor(opening: Array("pipe".utf8), beneath: root.raw)
        #expect(try FileStatus(ofDescriptor: pipe.raw).kind == .fifo)
    }

    @Test("A read takes no more memory than its file needs, whatever its limit")
    func farLimit() throws {
        let folder = TemporaryFolder()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
        try folder.write(bytes, to: "file")
        let file = try OwnedDescriptor(opening: folder["file"])
        let (whole, part) = (try file.read(upTo: .max), try file.read(at: 5, upTo: 2_500_000))
        #expect(whole == bytes && part == Array(bytes[5..<2_500_005]))
    }

    @Test("A read that returns less than it could is continued", .timeLimit(.minutes(1)))
    func shortRead() throws {
        try folder.makeFIFO("pipe")
        // Open for writing, too, so that it does not end.
        let pipe = try OwnedDescriptor(opening: folder["pipe"], .readWrite)
        let raw = pipe.raw
        try pipe.write([1, 2, 3])
        // Writes the rest when the beginning has been read.
        Thread.detachNewThread {
            var state = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            // `state` outlives the calls.
            while unsafe poll(&state, 1, 0) != 0 { usleep(1000) }
            let rest: [UInt8] = [4, 5, 6]
            _ = unsafe rest.withUnsafeBytes { unsafe write(raw, $0.baseAddress, $0.count) }
        }
        #expect(try pipe.read(upTo: 6) == [1, 2, 3, 4, 5, 6])
    }
}

extension OwnedDescriptor {
    /// The first 4 KiB as text.
    func contents() throws -> String { String(decoding: try read(upTo: 4096), as: UTF8.self) }
}
