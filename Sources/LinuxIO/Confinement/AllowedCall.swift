internal import CLinuxShims
import Glibc

/// A system call that a confined process may make, and what its arguments must be.
package struct AllowedCall: Sendable {
    /// The argument at `index`, as far as the bits of `mask` go, is `value`.
    struct Condition: Sendable {
        let index: UInt32
        let mask: UInt64
        let value: UInt64

        static func argument(_ index: UInt32, is value: UInt64) -> Condition {
            // An int: the kernel does not look at the upper half of the register, and neither may the filter.
            Condition(index: index, mask: UInt64(UInt32.max), value: value)
        }

        static func argument(_ index: UInt32, has bits: Int32) -> Condition {
            let bits = UInt64(UInt32(bitPattern: bits))
            return Condition(index: index, mask: bits, value: bits)
        }

        /// Requires that of the bits of `mask` exactly `bits` are set. libseccomp takes one condition for each
        /// argument.
        static func argument(_ index: UInt32, has bits: Int32, ofMask mask: Int32) -> Condition {
            Condition(
                index: index, mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: bits)))
        }

        static func argument(_ index: UInt32, lacks bits: Int32) -> Condition {
            Condition(index: index, mask: UInt64(UInt32(bitPattern: bits)), value: 0)
        }
    }

    /// As the kernel names it.
    package let name: String
    /// All must hold.
    let conditions: [Condition]

    private init(_ name: String, _ conditions: Condition...) {
        self.name = name
        self.conditions = conditions
    }

    /// What decoding, computing and answering need, seen with strace(1) over every format and every kind of error. No
    /// call here takes a path, opens anything, or reaches another process.
    package static func computing(socket: Int32) -> [AllowedCall] {
        let socket = UInt64(UInt32(bitPattern: socket))
        let standardError = UInt64(STDERR_FILENO)
        let itself = UInt64(UInt32(bitPattern: getpid()))
        return [
            // The conversation: one socket, over which a descriptor may come.
            AllowedCall("recvmsg", .argument(0, is: socket)),
            AllowedCall("sendmsg", .argument(0, is: socket)),
            AllowedCall("poll"),
            AllowedCall("ppoll"),

            // The photo. No lseek(2): the offset is shared with the daemon.
            AllowedCall("close"),
            AllowedCall("fstat"),
            AllowedCall("pread64"),

            // Last words, and abort(3).
            AllowedCall("write", .argument(0, is: standardError)),
            AllowedCall("writev", .argument(0, is: standardError)),
            AllowedCall("rt_sigaction"),
            AllowedCall("rt_sigprocmask"),
            AllowedCall("tgkill", .argument(0, is: itself)),

            // Memory: never executable, never a file's, and only of kinds that RLIMIT_DATA counts. It does not count
            // shared memory and mappings that grow like a stack. mremap(2) could enlarge the first thread's stack.
            AllowedCall("brk"),
            AllowedCall("madvise"),
            AllowedCall(
                "mmap", .argument(2, lacks: PROT_EXEC),
                .argument(
                    3, has: MAP_PRIVATE | MAP_ANONYMOUS, ofMask: Int32(LINUX_MAP_TYPE) | MAP_ANONYMOUS | MAP_GROWSDOWN)),
            AllowedCall("mprotect", .argument(2, lacks: PROT_EXEC)),
            AllowedCall("munmap"),
            // qsort(3) asks how much memory there is before it takes some.
            AllowedCall("sysinfo"),
            // A tighter or looser limit for the next photo, below the hard one.
            AllowedCall("prlimit64", .argument(0, is: 0), .argument(1, is: ResourceLimit.data.number)),

            // Threads: decoders start their own, and end them. prctl(2) gives them their names.
            AllowedCall("clone", .argument(0, has: Int32(LINUX_CLONE_THREAD | LINUX_CLONE_VM))),
            AllowedCall("exit"),
            AllowedCall("exit_group"),
            AllowedCall("futex"),
            AllowedCall("getpid"),
            AllowedCall("gettid"),
            AllowedCall("prctl", .argument(0, is: UInt64(LINUX_PR_SET_NAME))),
            AllowedCall("rseq"),
            AllowedCall("sched_getaffinity"),
            AllowedCall("sched_yield"),
            AllowedCall("set_robust_list"),

            // The time, where the vDSO cannot tell it, and chance for hashing.
            AllowedCall("clock_gettime"),
            AllowedCall("gettimeofday"),
            AllowedCall("getrandom"),
            // How the kernel goes on with poll(2) and futex(2) after SIGSTOP and SIGCONT.
            AllowedCall("restart_syscall"),
        ]
    }

    /// Calls that fail with an error instead of ending the process: the C library can do without them.
    static let answered: [(name: String, error: Int32)] = [
        // The filter cannot read its flags, which are in memory; the C library then uses clone(2).
        ("clone3", ENOSYS),
        // realloc(3) takes a new block and copies.
        ("mremap", ENOMEM),
    ]
}
