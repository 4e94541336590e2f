/// Measures the times of consecutive steps.
struct Stopwatch {
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant

    init() {
        last = clock.now
    }

    /// Adds the microseconds since the last call, or since the start, to `time`.
    mutating func lap(_ time: inout Int) {
        let now = clock.now
        time += (now - last).microseconds
        last = now
    }
}
