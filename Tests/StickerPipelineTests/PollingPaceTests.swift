import StickerPipeline
import Testing

struct PollingPaceTests {
    private var pace = PollingPace()

    @Test("An inbox in which nothing happens is looked at less and less often, down to a limit")
    mutating func quiet() {
        let waits = (0..<20).map { _ in pace.next(after: .milliseconds(1), isLively: false, in: 2...60) }
        #expect(waits.first == .seconds(2))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last == .seconds(60))
        #expect(pace.next(after: .milliseconds(1), isLively: true, in: 2...60) == .seconds(2))
    }

    @Test("A look that takes long is a rare one: at most a fiftieth of the time goes into looking")
    mutating func slow() {
        #expect(pace.next(after: .seconds(2), isLively: true, in: 2...60) == .seconds(100))
        #expect(pace.next(after: .milliseconds(500), isLively: true, in: 2...60) == .seconds(25))
    }
}
