import Glibc

/// The processor time of this process: unlike wall time, it hardly depends on what else the machine does.
enum ProcessorTime {
    /// Seconds so far, on all threads.
    static var now: Double {
        var time = timespec()
        // `time` outlives the call; the clock exists on every Linux.
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
