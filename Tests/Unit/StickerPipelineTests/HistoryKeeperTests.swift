import Foundation
import LibraryCommands
import PhotoCodecs
import PhotoFacts
import PhotoLibrary
import PhotoRule
import Processing
import SystemPackage
import Testing
import TestSupport

@Suite("Deleting old history", .timeLimit(.minutes(1)))
struct HistoryKeeperTests {
    private let fixture = PipelineFixture()
    private let keeper: HistoryKeeper
    private let start = Date.now

    init() async throws {
        keeper = HistoryKeeper(library: fixture.library, days: 2, clock: fixture.clock, logger: fixture.logger)
        try await fixture.arrive("gone.jpg")
        let claim = try #require(try await fixture.library.claim(limit: 1).first)
        _ = try await fixture.library.resolve(claim, photo: "p")
        try await fixture.library.remember(recipe: "r", content: "{}")
        let facts = PhotoFacts(format: .png, width: 9, height: 7, confidence: 0, colors: PackFixture.red)
        try await fixture.library.finish(
            claim, as: .noSubject(.init(photo: "p", facts: facts, recipe: "r"), stems: ["gone"]), originals: .archive)
        let original = try #require(try await fixture.library.dueOriginals(in: .max, limit: 1).first)
        #expect(try await fixture.library.recordTarget("/archive/gone.jpg", for: original))
        #expect(try await fixture.library.conclude(original, as: .moved))
    }

    private var isRemembered: Bool {
        get throws { try PhotoStory.read(of: "gone.jpg", in: fixture.folder["state"]) != nil }
    }

    /// Lets time pass by both clocks.
    private func run(hours: ClosedRange<Int>, ahead: Double = 0) async throws {
        for hour in hours { try await keeper.forget(at: start + Double(hour) * 3600 + ahead, after: .seconds(3600)) }
    }

    @Test("is done after that many days of running, however often the daemon starts")
    func days() async throws {
        try await run(hours: 1...48)
        #expect(try isRemembered)
        let next = HistoryKeeper(library: fixture.library, days: 2, clock: fixture.clock, logger: fixture.logger)
        for hour in 49...52 { try await next.forget(at: start + Double(hour) * 3600, after: .seconds(3600)) }
        #expect(try !isRemembered)
    }

    @Test("is not done because the wall clock is wrong for a while", arguments: [-3e9, 69_120_000, 1e12])
    func wrongClock(ahead: Double) async throws {
        try await run(hours: 1...3, ahead: ahead)
        try await run(hours: 4...40)
        try await run(hours: 41...42, ahead: ahead)
        #expect(try isRemembered)
        try await run(hours: 43...60)
        #expect(try !isRemembered)
    }

    @Test("is not done because no daemon ran for years, and never if history is kept forever")
    func stopped() async throws {
        try await keeper.forget(at: start + 1e8, after: .seconds(600))
        #expect(try isRemembered)
        await keeper.update(days: 0)
        try await run(hours: 1...100)
        #expect(try isRemembered)
    }

    @Test("counts the time for which the keeper runs")
    func running() async throws {
        let run = Task { try await keeper.run() }
        #expect(
            try await fixture.clock.advance(upTo: .seconds(3 * 86_400)) {
                try await fixture.library.historyLimit(days: 2, at: start, after: .zero) != nil
            })
        // The wall clock has hardly moved.
        #expect(try isRemembered)
        run.cancel()
        // A call of the Library that is cancelled throws this, and the daemon's service drops it.
        do { try await run.value } catch is CancellationError {}
    }
}
