import Glibc
import SystemPackage
import Testing

@testable import LinuxIO

@Suite("The status of a process")
struct ProcessStatusTests {
    @Test("The effective user and group are read, and the filters if the kernel counts them")
    func fields() {
        let status = ProcessStatus(
            id: 7,
            text:
                "Name:\tUid: 9\nPPid:\t5\nUid:\t1\t2\t3\t4\nGid:\t10\t20\t30\t40\nGroups:\t6 8 \nSeccomp_filters:\t2\n")
        #expect(status.parent == 5 && status.user == 2 && status.groups == [20, 6, 8] && status.filters == 2)
        #expect(ProcessStatus(id: 7, text: "Uid:\t1\t2").filters == nil)
    }

    @Test("This process is among all, and one that does not exist is not")
    func own() throws {
        let own = try #require(ProcessStatus.all.first { $0.id == getpid() })
        #expect(own.parent == getppid() && own.user == geteuid() && own.groups.first == getegid())
        #expect(throws: Errno.noSuchFileOrDirectory) { try ProcessStatus(of: -1) }
        #expect(ProcessStatus.numbers(in: "/proc/self/fd").contains(0))
    }
}
