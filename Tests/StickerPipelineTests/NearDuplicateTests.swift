import PhotoLibrary
import StickerPipeline
import TestSupport
import Testing

@Suite("Near-duplicates", .timeLimit(.minutes(1)))
struct NearDuplicateTests {
    private let fixture: PipelineFixture

    /// Three of a burst, not the same byte for byte, and one that is in another pack.
    init() async throws {
        fixture = try PipelineFixture()
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

    @Test("Reported: each becomes a sticker, and the journal names the first for all of the burst but itself")
    func report() async throws {
        try await process(.report)
        #expect(try await fixture.count(.done) == 4)
        #expect(fixture.log.said.filter { $0.contains("Looks like an earlier photo") }.count == 2)
    }

    @Test("Skipped: one of the burst becomes a sticker, worked on at the same time or not; another pack has its own")
    func skip() async throws {
        try await process(.skip)
        #expect(try await fixture.count(.done) == 2)
        #expect(try await fixture.count(.duplicate) == 2)
        #expect(try fixture.published().count == 1)
        #expect(try fixture.published("Cats").count == 1)
        #expect(fixture.log.said.filter { $0.contains("re-saved or a burst") }.count == 2)
    }

    @Test("One that was skipped has its turn when the photo that it looks like is withdrawn")
    func turn() async throws {
        fixture.library.adopt(.withdraw)
        try await process(.skip)
        let made = try #require(try await fixture.library.stickerRecords(ofPack: "").first)
        let names = ["a.png", "b.png", "c.png"].filter { made.file.hasPrefix($0.prefix(1)) }
        try await fixture.library.forget(names.map(PipelineFixture.path))
        #expect(try await fixture.count(.pending) == 2)
        try await process(.skip)
        let stickers = try await fixture.library.stickerRecords(ofPack: "")
        #expect(stickers.count == 1 && stickers.first?.photo != made.photo)
        #expect(try await fixture.count(.duplicate) == 1)
    }

    @Test("Off: nobody looks, and nothing is remembered for later")
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
