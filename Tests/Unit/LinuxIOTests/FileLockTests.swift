import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test("Only one holder has the lock; once it is released, the next can take it")
    func exclusive() throws {
        let folder = try TemporaryFolder()
        let path = folder["lock"]
        #expect(!FileLock.isHeld(at: path))
        do {
            let lock = try FileLock(at: path)
            #expect(throws: Errno.wouldBlock) { _ = try FileLock(at: path) }
            #expect(FileLock.isHeld(at: path))
            _ = consume lock
        }
        #expect(!FileLock.isHeld(at: path))
        _ = try FileLock(at: path)
    }
}
