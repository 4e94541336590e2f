internal import CLinuxShims
import Glibc
import SystemPackage

/// Irreversibly confines this process to computing on descriptors received over one socket: no files, no network, no
/// other process, and bounded memory and time.
///
/// `Docs/Security.md` explains each layer.
package enum Confinement {
    /// The most processor seconds that all threads of a process may use. Four threads may each take the longest
    /// `limits.secondsPerPhoto`; a process normally ends itself at `retirementAge`.
    static let maxProcessorSeconds: UInt64 = 4 * 3600
    static let retirementAge = Duration.seconds(3600)
    /// The socket, standard output and error, the photo, and a reserve.
    package static let maxDescriptors: UInt64 = 16
    /// Memory that does not depend on the photo's limit: the network, thread stacks, images at working size.
    static let baseMemory: UInt64 = 1 << 30

    /// The limit of the first thread's stack: the kernel's default. Other threads' stacks count as ordinary memory.
    static let maxStack: UInt64 = 8 << 20

    /// Whether filter and memory limit apply. Not in sanitizer builds.
    package static let isWhole = !linux_is_sanitized()

    /// Closes descriptors inherited by mistake, and makes the C library read its files now. Call it first, while the
    /// process has one thread.
    package static func prepare() {
        _ = linux_close_from(STDERR_FILENO + 1)
        // malloc(3) reads /proc/sys/vm/overcommit_memory before it first shrinks a heap other than the main one.
        linux_use_one_malloc_arena()
        // gmtime(3) reads /etc/localtime once; Little CMS calls it to date the profiles it makes.
        tzset()
        volunteerForLackOfMemory()
    }

    /// Makes the kernel kill this process before the daemon when memory is short: a new worker is smaller than the
    /// daemon, and the kernel kills the largest process (proc_pid_oom_score_adj(5)).
    private static func volunteerForLackOfMemory() {
        // The name is a literal. Without /proc, the kernel goes by size alone.
        guard let file = unsafe try? FileDescriptor.open("/proc/self/oom_score_adj", .writeOnly) else { return }
        _ = try? file.closeAfter { try file.writeAll("1000".utf8) }
    }

    /// Confines the process: from here on, a forbidden system call ends it by SIGSYS. Call it after all setup that
    /// needs such calls.
    ///
    /// - Parameter socket: the only socket the process may use.
    /// - Returns: the layers that the system refused, one line each; usually none.
    package static func enter(socket: Int32) -> [String] {
        var missing: [String] = []
        func step(_ layer: String, _ body: () throws(Errno) -> Void) {
            do throws(Errno) { try body() } catch { missing.append("no \(layer): \(error)") }
        }
        // The limit also applies to standard error if that is a file; a lost message must not end the process.
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
            // The sanitizer's runtime maps terabytes, and opens files to report what it has found.
            return missing + ["no limit on memory and no system call filter: this is a sanitizer build"]
        }
        step("limit on memory") { () throws(Errno) in
            try ResourceLimit.data.set(soft: memoryOfSystem, hard: memoryOfSystem)
        }
        step("system call filter") { () throws(Errno) in
            try SystemCallFilter.load(allowing: AllowedCall.computing(socket: socket))
        }
        return missing
    }

    /// Limits this process to `baseMemory`, `network`, and twice `bytes`, for a decoder and its output, and never to
    /// more than the machine has. Allocations beyond that fail.
    ///
    /// - Parameters:
    ///   - bytes: the memory that a photo may take; not negative.
    ///   - network: the memory of a network other than the embedded one; not negative.
    /// - Returns: whether the machine has more than `network`.
    @discardableResult
    package static func limitMemory(toPhotosOf bytes: Int, beside network: Int = 0) -> Bool {
        let fits = UInt64(network) < memoryOfSystem
        guard isWhole else { return fits }
        let (photo, isHuge) = UInt64(bytes).multipliedReportingOverflow(by: 2)
        let (sum, isTooLarge) = photo.addingReportingOverflow(baseMemory + UInt64(network))
        // If this fails, the hard limit remains.
        try? ResourceLimit.data.set(soft: isHuge || isTooLarge ? .max : sum, hard: .max)
        return fits
    }

    /// Whether this process has used so much processor time that it should end before its next photo, instead of
    /// hitting the limit during one.
    package static var isOld: Bool {
        var time = timespec()
        // `time` outlives the call; a process's own clock cannot fail.
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Duration.seconds(time.tv_sec) > retirementAge
    }

    private static var memoryOfSystem: UInt64 {
        UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 1)) * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))
    }
}

/// One of the kernel's limits on this process (setrlimit(2)).
struct ResourceLimit: Sendable {
    /// The size of core files, which would contain photos.
    static let core = ResourceLimit(RLIMIT_CORE)
    /// Processor seconds of all threads: SIGXCPU, then SIGKILL.
    static let cpu = ResourceLimit(RLIMIT_CPU)
    /// Bytes of private writable memory, including stacks of threads except the first; reserved addresses do not count.
    static let data = ResourceLimit(RLIMIT_DATA)
    /// The size of files written; exceeding it gives SIGXFSZ, or `EFBIG` if that is ignored.
    static let fileSize = ResourceLimit(RLIMIT_FSIZE)
    /// The highest descriptor plus one.
    static let openFiles = ResourceLimit(RLIMIT_NOFILE)

    /// The size of the first thread's stack, which `data` does not count.
    static let stack = ResourceLimit(RLIMIT_STACK)

    private let resource: __rlimit_resource_t

    private init(_ resource: __rlimit_resource) {
        self.resource = __rlimit_resource_t(resource.rawValue)
    }

    /// prlimit(2)'s number.
    var number: UInt64 { UInt64(resource) }

    /// Lowers the hard limit permanently to `hard`, unless it is lower already. Sets the soft limit to `soft`, or to
    /// the hard one if that is lower.
    func set(soft: UInt64, hard: UInt64) throws(Errno) {
        var limit = rlimit()
        // One record, written, then read.
        _ = try Errno.retry { unsafe getrlimit(resource, &limit) }
        limit.rlim_max = min(limit.rlim_max, rlim_t(hard))
        limit.rlim_cur = min(rlim_t(soft), limit.rlim_max)
        _ = try Errno.retry { unsafe setrlimit(resource, &limit) }
    }
}
