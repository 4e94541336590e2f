import CLinuxShims
import Testing

@Suite("Yielding", .serialized)
struct YieldingTests {
    /// How often a computation of 20 ms yields, and how long it took.
    private func yields(isEnabled: Bool) -> (count: Int, time: Duration) {
        linux_enable_yielding(isEnabled)
        defer { linux_enable_yielding(false) }
        let start = ContinuousClock.now
        var count = 0
        while start.duration(to: .now) < .milliseconds(20) { if linux_yield_if_due() { count += 1 } }
        return (count, start.duration(to: .now))
    }

    @Test("A computation yields at most every quarter of a millisecond")
    func rate() {
        let (count, time) = yields(isEnabled: true)
        #expect(count > 0 && count <= Int(time / .microseconds(250)) + 1)
    }

    @Test("Without the lowest priority, it does not")
    func disabled() {
        #expect(yields(isEnabled: false).count == 0)
    }
}
