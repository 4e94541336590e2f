import Glibc

/// The environment variables that a worker inherits from the daemon.
enum WorkerEnvironment {
    /// These locate libraries and configure logging, sanitizers and coverage. No variable of a user or unit is among
    /// them.
    private static let names = [
        "LD_LIBRARY_PATH", "LIBDISPATCH_LOG", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
        "LLVM_PROFILE_FILE",
    ]

    static var current: [String: String] {
        var values: [String: String] = [:]
        for name in names {
            // No thread sets variables while the daemon runs, so the pointer stays valid.
            if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
        }
        // The backtracer is another program, which the filter forbids starting: a crash would look like an attack.
        values["SWIFT_BACKTRACE"] = "enable=no"
        return values
    }
}
