import Conditions
import FoundationEssentials
import LinuxIO
import PackLedger
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@testable import Packs

@Suite("When ZIPs are written")
struct ArchiveWriterTests {
    /// Each look at it takes a second.
    private struct SlowClock: MonotonicClock {
        let clock = ManualClock()
        var now: ContinuousClock.Instant {
            clock.advance(by: .seconds(1))
            return clock.now
        }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try await clock.sleep(until: deadline, tolerance: tolerance)
        }

        func next(of inotify: Inotify, until deadline: ContinuousClock.Instant) throws(Errno) -> [InotifyEvent] {
            try clock.next(of: inotify, until: deadline)
        }
    }

    @Test("A ZIP that cannot be written is tried again only after fifty times as long as the try took")
    func impossible() async throws {
        let fixture = try PipelineFixture()
        try await fixture.arrive("a.png")
        try await PackFixture(fixture).finishAll(["a.png"])
        let sticker = try #require(try await fixture.library.stickerRecords(ofPack: "").first)
        _ = try await fixture.library.forget([PipelineFixture.path("a.png")])
        try fixture.folder.write("changed", to: "outbox/\(sticker.file)")
        let conditions = CurrentConditions(logger: fixture.logger, clock: SlowClock())
        let writer = ArchiveWriter(
            library: fixture.library, outbox: fixture.outbox, conditions: conditions, logger: fixture.logger)
        let summary = try await fixture.library.summary(ofPack: "", listed: 1)
        let settings = PackSettings(
            name: "Test", identifier: "test", publisher: "", colorCount: 5,
            gallery: .init(maxArchiveBytes: 1_000_000))
        func write() async throws -> ArchiveWriter.Outcome {
            try await writer.write(ofPack: "", summary, nil, settings: settings)
        }
        _ = try await write()
        #expect(try fixture.published()["stickers.zip"] == nil)
        #expect(!conditions.hasLateArchive)
        // The try took a second, and this look at the clock another.
        #expect(try await write() == .later(.seconds(48)))
        #expect(try await write() == .later(.seconds(46)))
        #expect(conditions.hasLateArchive, "verify needs to know")
    }
}
