import StickerPipeline
import Synchronization
import Testing

@Suite("Obstacles")
struct ObstaclesTests {
    @Test("Whoever tells people hears of each new reason, and when it is gone, once")
    func told() {
        let calls = Counter()
        let obstacles = Obstacles { calls.count.add(1, ordering: .relaxed) }
        obstacles.clear("disk")
        #expect(calls.value == 0)
        obstacles.set("full", for: "disk")
        obstacles.set("full", for: "disk")
        #expect(calls.value == 1)
        obstacles.set("gone", for: "disk")
        #expect(calls.value == 2 && obstacles.reasons == ["gone"])
        obstacles.clear("disk")
        obstacles.clear("disk")
        #expect(calls.value == 3 && obstacles.reasons.isEmpty)
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
    }
}
