import Foundation
import GRDB
import PackLedger
import PhotoColors
@testable import PhotoLibrary
import SQLiteDatabase
import Testing
import TestSupport

@testable import Outbox
@testable import Packs

@Suite("The daily check of all keys", .timeLimit(.minutes(1)))
struct ResyncTests {
    private final class Found { var parts: [String] = [] }

    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }
    private let sizes = PageSizes(maxUndivided: 3, maxStickers: 2)
    private let found = Found()

    init() async throws {
        try await packs.make(1...5)
        try await write()
    }

    private func write() async throws { try await packs.writing(palettes: [.css], pageSizes: sizes) }

    private func resync(isIdle: Bool = true) async throws {
        let found = found
        let publisher = Publisher(library: fixture.library, outbox: fixture.outbox)
        let settings = PackSettings(
            name: "Stickers", identifier: "stickers", publisher: "me", colorCount: 5, paletteFormats: [.css])
        let resync = Resync(library: fixture.library, logger: fixture.logger) { found.parts.append($0) }
        try await resync.request()
        try await resync.run(
            IndexPages(library: fixture.library, publisher: publisher, colorCount: 5, sizes: sizes, hasScripts: false),
            PaletteFiles(library: fixture.library, publisher: publisher, settings: settings)
        ) { isIdle }
    }

    /// Changes rows without the triggers that mark their pages and palettes.
    private func change(_ sql: String, dropping triggers: String...) async throws {
        try await fixture.library.database.write { database in
            for trigger in triggers { try database.execute(sql: "DROP TRIGGER \(trigger)") }
            try database.execute(sql: sql)
        }
    }

    private func changeStickerAndColors() async throws {
        try await change(
            """
            UPDATE sticker SET stem = 'dog' WHERE arrival = (SELECT MAX(arrival) FROM sticker);
            UPDATE result SET colors = NULL WHERE photo = (SELECT photo FROM sticker ORDER BY arrival LIMIT 1)
            """, dropping: "pageMove", "pageColorsMove", "paletteColorsMove")
    }

    @Test("What was changed without a mark is reported, and written by the next write")
    func unmarked() async throws {
        try await changeStickerAndColors()
        try await write()
        let before = try fixture.published("pack")
        try await resync()
        let photo = try #require(try await fixture.library.stickerRecords(ofPack: "").first).photo
        #expect(Set(found.parts) == ["pages/1", "pages/3", "palettes/\(photo)"])
        #expect(fixture.log.said.filter { $0.contains("report this") }.count == 3)
        #expect(fixture.library.hasChangedPacks)
        try await write()
        #expect(try fixture.published("palettes").count == 4)
        #expect(try fixture.published("pack").filter { before[$0.key] == nil }.count == 2)
        try await resync()
        #expect(found.parts.count == 3)
    }

    @Test("Nothing is reported of changes that are marked, or of files that others changed")
    func marked() async throws {
        try await change("UPDATE sticker SET stem = 'dog'; UPDATE result SET colors = NULL")
        try fixture.folder.write([1], to: "outbox/pack/0001-1.json")
        try await resync()
        #expect(found.parts.isEmpty)
    }

    @Test("A writer checks all keys on request")
    func request() async throws {
        try await packs.writing(palettes: [.css], pageSizes: sizes) { writer in
            try await packs.untilWritten()
            writer.resync()
            // The second write is that of the request, the third that of the packs that it marks.
            try await packs.untilWritten(3)
        }
    }

    @Test("While photos wait, nothing is checked")
    func busy() async throws {
        try await changeStickerAndColors()
        try await resync(isIdle: false)
        #expect(found.parts.isEmpty)
    }
}
