import Glibc
import SystemPackage

/// One of the kernel's limits on this process (setrlimit(2)).
struct ResourceLimit: Sendable {
    /// No core file: it would hold somebody's photo.
    static let core = ResourceLimit(RLIMIT_CORE)
    /// Seconds of all threads together: SIGXCPU, then SIGKILL.
    static let cpu = ResourceLimit(RLIMIT_CPU)
    /// Bytes of private writable memory, thread stacks included; what is only reserved does not count.
    static let data = ResourceLimit(RLIMIT_DATA)
    /// How long a file may be made: `EFBIG`, or SIGXFSZ.
    static let fileSize = ResourceLimit(RLIMIT_FSIZE)
    /// Descriptors are numbers below this.
    static let openFiles = ResourceLimit(RLIMIT_NOFILE)

    /// The size of the first thread's stack, which `data` does not count.
    static let stack = ResourceLimit(RLIMIT_STACK)

    private let resource: __rlimit_resource_t

    private init(_ resource: __rlimit_resource) {
        self.resource = __rlimit_resource_t(resource.rawValue)
    }

    /// As prlimit(2) knows it.
    var number: UInt64 { UInt64(resource) }

    /// Lowers the hard limit, for good, and sets the soft one to `soft`, or to the hard one where that is lower. A hard
    /// limit that is lower already stays.
    func set(soft: UInt64, hard: UInt64) throws(Errno) {
        var limit = rlimit()
        // One record, written and read.
        _ = try Errno.retry { unsafe getrlimit(resource, &limit) }
        limit.rlim_max = min(limit.rlim_max, rlim_t(hard))
        limit.rlim_cur = min(rlim_t(soft), limit.rlim_max)
        _ = try Errno.retry { unsafe setrlimit(resource, &limit) }
    }
}
