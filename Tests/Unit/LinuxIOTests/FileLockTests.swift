import Foundation
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct FileLockTests {
    private let folder = TemporaryFolder()

    @Test("Only one holder has the lock; once it is released, the next can take it")
    func exclusive() throws {
        let path = folder["lock"]
        #expect(try FileLock.text(at: path) == nil)
        do {
            let lock = try FileLock(at: path)
            #expect(throws: Errno.wouldBlock) { _ = try FileLock(at: path) }
            #expect(try FileLock.text(at: path) != nil)
            _ = consume lock
        }
        #expect(try FileLock.text(at: path) == nil)
        _ = try FileLock(at: path)
    }

    @Test("Other processes read the holder's text while it has the lock; the text always fills the same bytes on disk")
    func text() throws {
        let path = folder["lock"]
        try folder.write("left by the last holder", to: "lock")
        #expect(try FileLock.text(at: path) == nil)
        do {
            let lock = try FileLock(at: path)
            #expect(try FileLock.text(at: path)?.isEmpty == true)
            for text in ["first", "the second, longer", "3", ""] {
                try lock.write(text: Array(text.utf8))
                #expect(try FileLock.text(at: path).map { String(decoding: $0, as: UTF8.self) } == text)
                #expect(try FileStatus(of: path).identity.size == Int64(FileLock.maxTextBytes))
            }
            let longest = [UInt8](repeating: UInt8(ascii: "x"), count: FileLock.maxTextBytes)
            try lock.write(text: longest)
            #expect(try FileLock.text(at: path) == longest)
            #expect(throws: Errno.fileTooLarge) { try lock.write(text: longest + longest) }
            #expect(try FileLock.text(at: path) == longest)
            _ = consume lock
        }
        #expect(try FileLock.text(at: path) == nil)
        let next = try FileLock(at: path)
        #expect(try FileLock.text(at: path)?.isEmpty == true)
        _ = consume next
    }

    @Test("Only owner and group can read the file, even one that others could read before", arguments: [0o644, 0o600])
    func privacy(mode: Int) throws {
        // A stricter mask of the user who runs the tests holds for new files.
        let mask = try #require(ProcessTable.status(of: getpid(), "Umask").flatMap { Int($0, radix: 8) })
        try folder.write([], to: "lock")
        try folder.setMode(mode, of: "lock")
        for name in ["lock", "new"] {
            let lock = try FileLock(at: folder[name])
            #expect(try folder.mode(of: name) == (name == "lock" ? mode & 0o640 : 0o640 & ~mask))
            _ = consume lock
        }
    }

    @Test("A FIFO or folder with the lock file's name has no text, and cannot be locked", .timeLimit(.minutes(1)))
    func notRegular() throws {
        try folder.makeFIFO("fifo")
        try folder.write([1], to: "folder/file")
        for name in ["fifo", "folder", "missing"] { #expect(try FileLock.text(at: folder[name]) == nil) }
        #expect(throws: Errno.invalidArgument) { _ = try FileLock(at: folder["fifo"]) }
    }

    @Test("A lock that this user may not look at is an error, not a free lock", .enabled(if: geteuid() != 0))
    func closed() throws {
        try folder.write([], to: "closed/lock")
        try folder.setMode(0, of: "closed")
        defer { try? folder.setMode(0o700, of: "closed") }
        #expect(throws: Errno.permissionDenied) { try FileLock.text(at: folder["closed/lock"]) }
    }

    @Test("The process that holds the lock is named")
    func holder() throws {
        let path = folder["lock"]
        #expect(FileLock.holder(of: path) == nil)
        let lock = try FileLock(at: path)
        #expect(FileLock.holder(of: path)?.hasPrefix("\(getpid()) (") == true)
        _ = consume lock
        #expect(FileLock.holder(of: path) == nil)
    }
}
