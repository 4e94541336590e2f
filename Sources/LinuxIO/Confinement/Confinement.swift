internal import CLinuxShims
import Glibc
import SystemPackage

/// Locks this process down to computing on descriptors that come over one socket: no files, no network, no other
/// process, and bounded memory and time. There is no way back.
///
/// `Docs/Security.md` says what each layer is for.
package enum Confinement {
    /// Seconds of processor time, of all threads, in a whole life. Four threads may each take the longest
    /// `limits.secondsPerPhoto`; who lives long should end by itself at `retirementAge`.
    static let maxProcessorSeconds: UInt64 = 4 * 3600
    static let retirementAge = Duration.seconds(3600)
    /// The socket, standard output and error, the photo, and some room.
    static let maxDescriptors: UInt64 = 16
    /// What is always there beside what a photo may hold: the network, stacks of threads, pictures at working size.
    static let baseMemory: UInt64 = 1 << 30

    /// The limit of the first thread's stack: the kernel's default. Other threads' stacks count as ordinary memory.
    static let maxStack: UInt64 = 8 << 20

    /// False in a sanitizer's build, which does without the filter and the limit on memory.
    package static let isWhole = !linux_is_sanitized()

    /// To be called first, while the process has one thread: closes what was inherited by mistake, and has the C library
    /// read now what it would read later.
    package static func prepare() {
        _ = linux_close_from(STDERR_FILENO + 1)
        // malloc(3) reads /proc/sys/vm/overcommit_memory before it first shrinks any other heap than the main one.
        linux_use_one_malloc_arena()
        // gmtime(3) reads /etc/localtime, once; Little CMS dates the profiles it makes.
        tzset()
    }

    /// To be called when everything is ready that needs more; from here on a forbidden call ends the process by SIGSYS.
    ///
    /// - Parameter socket: what it may send to and receive from.
    /// - Returns: which layers the system would not give, a line each for a person; empty is the rule.
    package static func enter(socket: Int32) -> [String] {
        var missing: [String] = []
        func step(_ layer: String, _ body: () throws(Errno) -> Void) {
            do throws(Errno) { try body() } catch { missing.append("no \(layer): \(error)") }
        }
        // A log file as standard error cannot grow either; last words are not worth a signal.
        signal(SIGXFSZ, SIG_IGN)
        step("limit on core files") { () throws(Errno) in try ResourceLimit.core.set(soft: 0, hard: 0) }
        step("limit on files' sizes") { () throws(Errno) in try ResourceLimit.fileSize.set(soft: 0, hard: 0) }
        step("limit on descriptors") { () throws(Errno) in
            try ResourceLimit.openFiles.set(soft: maxDescriptors, hard: maxDescriptors)
        }
        step("limit on processor time") { () throws(Errno) in
            try ResourceLimit.cpu.set(soft: maxProcessorSeconds, hard: maxProcessorSeconds + 5)
        }
        step("limit on the stack") { () throws(Errno) in try ResourceLimit.stack.set(soft: maxStack, hard: maxStack) }
        step("protection from debuggers") { () throws(Errno) in _ = try Errno.retry { linux_forbid_dumps() } }
        step("ban on new privileges") { () throws(Errno) in _ = try Errno.retry { linux_forbid_new_privileges() } }
        if !isWhole {
            // Its runtime maps terabytes, and opens files to say what it has found.
            return missing + ["no limit on memory and no system call filter: this is a sanitizer's build"]
        }
        step("limit on memory") { () throws(Errno) in
            try ResourceLimit.data.set(soft: memoryOfSystem, hard: memoryOfSystem)
        }
        step("system call filter") { () throws(Errno) in
            try SystemCallFilter.load(allowing: AllowedCall.computing(socket: socket))
        }
        return missing
    }

    /// From here on this process may have `baseMemory`, `network`, and twice `bytes`, for a decoder and what it hands
    /// over, but never more than the machine has: whatever asks for more is told that there is none.
    ///
    /// - Parameters:
    ///   - bytes: what a photo may hold; not negative.
    ///   - network: what another network than the embedded one takes; not negative.
    /// - Returns: whether the machine has more than `network`.
    @discardableResult
    package static func limitMemory(toPhotosOf bytes: Int, beside network: Int = 0) -> Bool {
        let fits = UInt64(network) < memoryOfSystem
        guard isWhole else { return fits }
        let (photo, isHuge) = UInt64(bytes).multipliedReportingOverflow(by: 2)
        let (sum, isTooLarge) = photo.addingReportingOverflow(baseMemory + UInt64(network))
        // Where it fails the hard limit holds.
        try? ResourceLimit.data.set(soft: isHuge || isTooLarge ? .max : sum, hard: .max)
        return fits
    }

    /// Whether this process has used so much processor time that it should end between two photos, before it is ended
    /// over one.
    package static var isOld: Bool {
        var time = timespec()
        // `time` outlives the call; the clock of the own process cannot fail.
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Duration.seconds(time.tv_sec) > retirementAge
    }

    private static var memoryOfSystem: UInt64 {
        UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 1)) * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))
    }
}
