import Foundation
import LinuxIO
import SystemPackage
import TestSupport
import Testing

/// Each case is a new process, which enters the confinement and makes one system call.
@Suite("A confined process", .enabled(if: Confinement.isWhole), .timeLimit(.minutes(1)))
struct ConfinementTests {
    private enum End: Equatable {
        case exited(Int32)
        case killed(by: Int32)
    }

    /// `words`: the call's name or number, then its arguments as numbers. Descriptor 0 is an open file.
    private func end(of words: String) async throws -> End {
        let process = Process()
        process.executableURL = URL(filePath: try BuiltProgram.path(of: "Confined").string)
        process.arguments = words.split(separator: " ").map(String.init)
        process.standardInput = FileHandle.nullDevice
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        for await _ in ends {}
        let status = process.terminationStatus
        return process.terminationReason == .uncaughtSignal ? .killed(by: status) : .exited(status)
    }

    @Test(
        "is killed if it tries to reach a file, a network, another process or executable memory",
        arguments: [
            // Paths; -100 is the working folder.
            "openat -100", "openat2 -100", "newfstatat -100", "statx -100", "readlinkat -100", "unlinkat -100",
            "renameat2 -100", "mkdirat -100", "faccessat -100", "chdir", "mount", "inotify_init1", "execve", "execveat",
            // The photo's own descriptor.
            "write 0", "pwrite64 0", "ftruncate 0", "fallocate 0", "fchmod 0", "fchown 0", "fsetxattr 0", "fcntl 0",
            "ioctl 0", "dup 0", "lseek 0", "sendfile 0", "copy_file_range 0", "mmap 0 4096 1 2 0",
            // Network calls, and any socket but its own.
            "socket 1 1", "socket 2 1", "socketpair 1 1", "connect 0", "bind 0", "sendto 0", "sendmsg 1", "recvmsg 1",
            // Processes. 17 is SIGCHLD: fork(3).
            "clone 17", "clone 256", "kill 1", "tgkill 1 1", "tkill 1", "ptrace", "process_vm_readv", "pidfd_open 1",
            "pidfd_getfd", "prlimit64 1 2", "setpriority",
            // Its own confinement.
            "prlimit64 0 7", "prctl 4 1", "seccomp", "setuid", "unshare", "personality", "keyctl", "bpf",
            "io_uring_setup 1", "userfaultfd", "perf_event_open", "memfd_create",
            // Executable memory.
            "mmap 0 4096 5 34 -1", "mprotect 0 0 4", "shmget", "remap_file_pages",
            // Memory that RLIMIT_DATA does not count: shared, by both flags for it, and mappings that grow like a
            // stack.
            "mmap 0 4096 3 33 -1", "mmap 0 4096 3 35 -1", "mmap 0 4096 3 290 -1",
            // getpid(2) by its number in the other ABI of a 64-bit x86; a number that does not exist elsewhere.
            "1073741863",
        ])
    func forbidden(call: String) async throws {
        #expect(try await end(of: call) == .killed(by: SIGSYS))
    }

    @Test(
        "continues after the calls it needs",
        arguments: [
            ("getpid", 0), ("fstat -1", EBADF), ("pread64 -1", EBADF), ("mmap 0 4096 3 34 -1", 0), ("write 2", 0),
            // The C library falls back to clone(2), whose flags the filter can check.
            ("clone3", ENOSYS),
            // realloc(3) falls back to a new block. Without the filter, the kernel would return EINVAL.
            ("mremap 0 0 0 0", ENOMEM),
            // An empty set of processors. Without the filter, the kernel would return EFAULT.
            ("sched_getaffinity 0 8 0", 0),
            // Two gigabytes exceed the limit for a photo of zero bytes.
            ("mmap 0 2147483648 3 34 -1", ENOMEM),
        ])
    func allowed(call: String, result: Int32) async throws {
        #expect(try await end(of: call) == .exited(result))
    }

    @Test("may make the system calls that Docs/Security.md explains, and no others")
    func documented() throws {
        let document = Repository.root.appending(path: "Docs/Security.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let lines = try #require(text.split(separator: "## System calls").last).split(separator: "\n")
        let names = lines.prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }
            .flatMap { $0.split(separator: "|")[0].split(separator: "`") }.filter { !$0.contains(" ") }.map(String.init)
        #expect(names.sorted() == AllowedCall.computing(socket: 0).map(\.name).sorted())
    }
}
