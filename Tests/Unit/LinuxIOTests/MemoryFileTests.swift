import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Files in memory", .timeLimit(.minutes(1)))
struct MemoryFileTests {
    @Test("A file in memory has its bytes, and cannot be changed")
    func sealed() throws {
        let file = try MemoryFile([1, 2, 3])
        #expect(try FileStatus(ofDescriptor: file.descriptor).identity.size == 3)
        let other = OwnedDescriptor(owning: dup(file.descriptor))
        #expect(try other.read(at: 0, upTo: 10) == [1, 2, 3])
        #expect(throws: Errno.notPermitted) { try other.write([9]) }
    }
}
