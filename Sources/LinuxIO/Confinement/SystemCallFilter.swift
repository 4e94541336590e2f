internal import CLinuxShims
internal import CSeccomp
import Glibc
import SystemPackage

/// A seccomp filter: a call that is not on its list kills the whole process by SIGSYS.
///
/// libseccomp builds it, so one list serves every processor. A call of another ABI of the processor (x32, 32 bits)
/// kills the process, too.
package enum SystemCallFilter {
    /// Installs the filter permanently for every thread of this process.
    ///
    /// - Throws: the kernel's error, or `Errno.notSupported` if it has no such filters. After a throw, no thread is
    ///   filtered.
    static func load(allowing calls: [AllowedCall]) throws(Errno) {
        // Owned here and released below. Returns nil without a cause: if a unit or container forbids seccomp(2),
        // libseccomp considers this action unsupported.
        guard let filter = unsafe seccomp_init(SCMP_ACT_KILL_PROCESS) else { throw .notSupported }
        defer { unsafe seccomp_release(filter) }
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
        // Makes failed calls return the kernel's error numbers.
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1))
        for call in calls {
            guard let number = number(of: call.name) else { continue }
            let conditions = call.conditions.map {
                scmp_arg_cmp(arg: $0.index, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
            }
            // The array outlives the call.
            try check(
                unsafe seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, UInt32(conditions.count), conditions))
        }
        for (name, error) in AllowedCall.failing {
            guard let number = number(of: name) else { continue }
            // SCMP_ACT_ERRNO, a macro that Swift cannot import.
            let answer = 0x0005_0000 | UInt32(error)
            try check(unsafe seccomp_rule_add_array(filter, answer, number, 0, nil))
        }
        try check(unsafe seccomp_load(filter))
    }

    /// This processor's number of a system call; nil if it has no call of that name.
    package static func number(of call: String) -> Int32? {
        // The string outlives the call. Negative: unknown, or emulated by libseccomp through another one.
        let number = unsafe seccomp_syscall_resolve_name(call)
        return number >= 0 ? number : nil
    }

    private static func check(_ code: Int32) throws(Errno) {
        // Positive: with TSYNC, the ID of a thread that already has another filter.
        guard code == 0 else { throw code < 0 ? Errno(rawValue: -code) : .noSuchProcess }
    }
}

/// A system call that a confined process may make, and the required arguments.
package struct AllowedCall: Sendable {
    /// Requires that the argument at `index`, masked with `mask`, is `value`.
    struct Condition: Sendable {
        let index: UInt32
        let mask: UInt64
        let value: UInt64

        static func argument(_ index: UInt32, is value: UInt64) -> Condition {
            // An int: the kernel ignores the register's upper half, so the filter must, too.
            Condition(index: index, mask: UInt64(UInt32.max), value: value)
        }

        static func argument(_ index: UInt32, has bits: Int32) -> Condition {
            let bits = UInt64(UInt32(bitPattern: bits))
            return Condition(index: index, mask: bits, value: bits)
        }

        /// Requires that of the bits of `mask` exactly `bits` are set: libseccomp takes one condition for each
        /// argument.
        static func argument(_ index: UInt32, has bits: Int32, ofMask mask: Int32) -> Condition {
            Condition(index: index, mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: bits)))
        }

        static func argument(_ index: UInt32, lacks bits: Int32) -> Condition {
            Condition(index: index, mask: UInt64(UInt32(bitPattern: bits)), value: 0)
        }
    }

    /// The kernel's name of the call.
    package let name: String
    /// Conditions on the arguments; all must hold.
    let conditions: [Condition]

    private init(_ name: String, _ conditions: Condition...) {
        self.name = name
        self.conditions = conditions
    }

    /// The calls that decoding, computing and replying need, found with strace(1) over every format and every kind of
    /// error. None takes a path, opens anything, or reaches another process.
    package static func computing(socket: Int32) -> [AllowedCall] {
        let socket = UInt64(UInt32(bitPattern: socket))
        let standardError = UInt64(STDERR_FILENO)
        let itself = UInt64(UInt32(bitPattern: getpid()))
        return [
            // Requests and replies, over one socket, which may pass a descriptor.
            AllowedCall("recvmsg", .argument(0, is: socket)),
            AllowedCall("sendmsg", .argument(0, is: socket)),
            AllowedCall("poll"),
            AllowedCall("ppoll"),

            // The photo. Not lseek(2): the offset is shared with the daemon.
            AllowedCall("close"),
            AllowedCall("fstat"),
            AllowedCall("pread64"),

            // Messages of a crashing runtime, and abort(3).
            AllowedCall("write", .argument(0, is: standardError)),
            AllowedCall("writev", .argument(0, is: standardError)),
            AllowedCall("rt_sigaction"),
            AllowedCall("rt_sigprocmask"),
            AllowedCall("tgkill", .argument(0, is: itself)),

            // Memory: never executable, never backed by a file, and only of kinds that RLIMIT_DATA counts. It does not
            // count shared memory and mappings that grow like a stack. mremap(2) could enlarge the first thread's
            // stack.
            AllowedCall("brk"),
            AllowedCall("madvise"),
            AllowedCall(
                "mmap", .argument(2, lacks: PROT_EXEC),
                .argument(
                    3, has: MAP_PRIVATE | MAP_ANONYMOUS, ofMask: Int32(LINUX_MAP_TYPE) | MAP_ANONYMOUS | MAP_GROWSDOWN)),
            AllowedCall("mprotect", .argument(2, lacks: PROT_EXEC)),
            AllowedCall("munmap"),
            // qsort(3) checks the amount of memory before it allocates.
            AllowedCall("sysinfo"),
            // The memory limit for the next photo, below the hard one.
            AllowedCall("prlimit64", .argument(0, is: 0), .argument(1, is: ResourceLimit.data.number)),

            // Threads: decoders start and end their own. prctl(2) names them.
            AllowedCall("clone", .argument(0, has: Int32(LINUX_CLONE_THREAD | LINUX_CLONE_VM))),
            AllowedCall("exit"),
            AllowedCall("exit_group"),
            AllowedCall("futex"),
            AllowedCall("getpid"),
            AllowedCall("gettid"),
            AllowedCall("prctl", .argument(0, is: UInt64(LINUX_PR_SET_NAME))),
            AllowedCall("rseq"),
            AllowedCall("sched_yield"),
            AllowedCall("set_robust_list"),

            // The time, if the vDSO cannot return it, and random seeds for hashing.
            AllowedCall("clock_gettime"),
            AllowedCall("gettimeofday"),
            AllowedCall("getrandom"),
            // The kernel resumes poll(2) and futex(2) with it after SIGSTOP and SIGCONT.
            AllowedCall("restart_syscall"),
        ]
    }

    /// Calls that fail with an error instead of killing the process, because the C library has fallbacks.
    static let failing: [(name: String, error: Int32)] = [
        // A filter cannot read clone3's flags, which are in memory; the C library falls back to clone(2).
        ("clone3", ENOSYS),
        // Returns zero, an empty set: dav1d starts a thread for each processor in it, but at least one, and keeps the
        // coefficients of several pictures if there is more than one. After an error, it would print a message.
        ("sched_getaffinity", 0),
        // realloc(3) falls back to a new block and a copy.
        ("mremap", ENOMEM),
    ]
}
