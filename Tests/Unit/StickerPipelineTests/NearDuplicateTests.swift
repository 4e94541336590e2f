import PhotoLibrary
import PhotoRule
import Processing
import SQLiteDatabase
import StickerPipeline
import TestSupport
import Testing

@Suite("Near-duplicates", .timeLimit(.minutes(1)))
struct NearDuplicateTests {
    private let fixture = PipelineFixture()

    /// A burst of three photos with different bytes, and one in another pack.
    init() async throws {
        for (number, name) in ["a.png", "b.png", "c.png", "Cats/a.png"].enumerated() {
            try fixture.write(try PipelineFixture.photo(red: UInt8(220 + number), width: 240), to: name)
        }
        try await fixture.arrive("a.png", "b.png", "c.png", "Cats/a.png")
    }

    private func process(_ near: NearDuplicates) async throws {
        var settings = PipelineFixture.settings
        settings.nearDuplicates = near
        try await fixture.processing(workers: 2) { [settings] processor in
            try await processor.update(settings)
            try await fixture.drain(processor)
        }
    }

    @Test("report: each photo becomes a sticker, and the journal names the first for the others of the burst")
    func report() async throws {
        try await process(.report)
        #expect(try await fixture.count(.done) == 4)
        #expect(
            fixture.log.said.filter { $0.contains("Near-duplicate of an earlier photo; made a sticker") }.count == 2)
    }

    @Test("skip: one photo of a burst becomes a sticker in each pack, even if all are processed at the same time")
    func skip() async throws {
        try await process(.skip)
        #expect(try await fixture.count(.done) == 2)
        #expect(try await fixture.count(.duplicate) == 2)
        #expect(try fixture.published().count == 1)
        #expect(try fixture.published("Cats").count == 1)
        #expect(fixture.log.said.filter { $0.contains("Near-duplicate of an earlier photo; no sticker") }.count == 2)
    }

    /// With the former ones, a photo that is skipped would be decided to be made, and be skipped again, forever.
    @Test("The Library decides by the newest settings, even if they change while the Processor starts")
    func changedAtStart() async throws {
        try await fixture.library.forget(["a.png", "b.png", "c.png", "Cats/a.png"].map(PipelineFixture.path))
        for round in 0..<100 {
            let processor = try fixture.pipeline().processor
            var settings = PipelineFixture.settings
            settings.nearDuplicates = round.isMultiple(of: 2) ? .skip : .off
            async let end: Void = processor.run()
            try await processor.update(settings)
            await processor.stop()
            try await end
            let skips = try await fixture.library.database.read { try Library.meta("skipsNearDuplicates", in: $0) }
            #expect(skips == (settings.nearDuplicates == .skip ? "1" : "0"))
        }
    }

    @Test("off: detection is off, and no hash is stored")
    func off() async throws {
        try await process(.off)
        #expect(try await fixture.count(.done) == 4)
        #expect(!fixture.log.said.contains { $0.contains("like") })
        try fixture.write(try PipelineFixture.photo(red: 230, width: 240), to: "d.png")
        try await fixture.arrive("d.png")
        try await process(.skip)
        #expect(try await fixture.count(.done) == 5)
    }
}
