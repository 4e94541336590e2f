import Glibc

/// The kernel's idea of the time of day, as it stamps files with it.
package enum WallClock {
    /// Nanoseconds since 1970; may jump when somebody sets the clock.
    package static var now: Int64 {
        var time = timespec()
        // `time` outlives the call; CLOCK_REALTIME cannot fail.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
