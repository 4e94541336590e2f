import Glibc

/// What a worker gets to know of the daemon's environment.
enum WorkerEnvironment {
    /// Where libraries are, what they say, and what sanitizers and coverage need. Nothing of a person's or a unit's.
    private static let names = [
        "LD_LIBRARY_PATH", "LIBDISPATCH_LOG", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
        "LLVM_PROFILE_FILE",
    ]

    static var current: [String: String] {
        var values: [String: String] = [:]
        for name in names {
            // Nobody sets variables while the daemon runs.
            if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
        }
        // To report a crash it would start a debugger: the worker may not, and the crash would look like an attack.
        values["SWIFT_BACKTRACE"] = "enable=no"
        return values
    }
}
