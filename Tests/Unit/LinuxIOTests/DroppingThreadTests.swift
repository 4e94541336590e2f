import LinuxIO
import Synchronization
import TestSupport
import Testing

@Suite("Work that may be dropped", .timeLimit(.minutes(1)))
struct DroppingThreadTests {
    @Test("Work is done in order; what exceeds the limit is dropped and counted")
    func limit() async throws {
        let done = Mutex<[Int]>([])
        let dropped = Mutex<[Int]>([])
        let mayGoOn = Atomic(false)
        let thread = try DroppingThread(name: "test", limit: 5) { count in dropped.withLock { $0.append(count) } }
        for number in 1...9 {
            thread.append(cost: 1) {
                while !mayGoOn.load(ordering: .relaxed) {}
                done.withLock { $0.append(number) }
            }
        }
        let start = ContinuousClock.now
        thread.finish(within: .milliseconds(50))
        #expect(start.duration(to: .now) >= .milliseconds(50))
        #expect(done.withLock(\.count) == 0)
        mayGoOn.store(true, ordering: .relaxed)
        thread.finish(within: .seconds(30))
        #expect(done.withLock(\.self) == [1, 2, 3, 4, 5])
        #expect(try await eventually { dropped.withLock(\.self) == [4] })
        thread.append(cost: 5) { done.withLock { $0.append(10) } }
        thread.finish(within: .seconds(30))
        #expect(done.withLock(\.last) == 10)
    }
}
