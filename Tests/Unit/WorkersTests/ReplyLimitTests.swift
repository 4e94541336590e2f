import Testing

@testable import Workers

@Suite("The limit of a reply")
struct ReplyLimitTests {
    /// - Parameter used: the worker's processor time in milliseconds at each look; nil when it has ended.
    /// - Returns: how many looks there were, and how the last one ended.
    private func end(_ used: [Int?], seconds: Int = 10) -> (looks: Int, overrun: ReplyLimit.Overrun?) {
        var looks = 0
        var limit = ReplyLimit(.seconds(seconds), used: .milliseconds(5000))
        for used in used {
            looks += 1
            if let overrun = limit.overrun(used: used.map { .milliseconds(5000 + $0) }) { return (looks, overrun) }
        }
        return (looks, nil)
    }

    @Test(
        "ends at the first look for a worker that had the processor, is stopped or has ended",
        arguments: [(10_000, .busy), (40_000, .busy), (9900, .busy), (0, .hung), (nil, .busy)]
            as [(Int?, ReplyLimit.Overrun)])
    func atOnce(used: Int?, overrun: ReplyLimit.Overrun) {
        #expect(end([used]) == (1, overrun))
    }

    @Test("counts the processor time since the request, over all periods")
    func sum() {
        #expect(end([3000, 6000, 8999]) == (3, nil))
        #expect(end([3000, 6000, 9001]) == (3, .busy))
    }

    @Test("ends after a period without processor time, if it is not so short that idle scheduling may cause that")
    func hung() {
        #expect(end([300, 301, 301, 302]) == (3, .hung))
        #expect(end([0, 0, 1, 1, 1], seconds: 4) == (5, nil))
        #expect(end([0, 0, 1, 1, 1, 1], seconds: 4) == (6, .hung))
    }

    @Test("is bounded for a worker that uses a little in each period")
    func bounded() {
        #expect(end(Array(1...100), seconds: 1) == (ReplyLimit.maxPeriods, .starved))
    }
}
