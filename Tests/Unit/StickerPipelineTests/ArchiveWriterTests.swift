import Conditions
import FoundationEssentials
import PackLedger
import PhotoLibrary
import Testing
import TestSupport

@testable import Packs

@Suite("When ZIPs are written")
struct ArchiveWriterTests {
    @Test("A ZIP that cannot be written is tried again only after fifty times as long as the try took")
    func impossible() async throws {
        let fixture = PipelineFixture()
        try await PackFixture(fixture).make(["a.png"])
        let sticker = try #require(try await fixture.library.stickerRecords(ofPack: "").first)
        _ = try await fixture.library.forget([PipelineFixture.path("a.png")])
        try fixture.folder.write("changed", to: "outbox/\(sticker.file)")
        let conditions = CurrentConditions(logger: fixture.logger, clock: ManualClock(lookTime: .seconds(1)))
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
