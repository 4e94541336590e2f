import Conditions
import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import PackLedger
import PhotoCodecs
import PhotoLibrary
import StickerPipeline
import StickerStudio
import SystemPackage
import Testing
import TestSupport
import Workers

@testable import Exports
@testable import Packs

@Suite("Exports of the daemon", .timeLimit(.minutes(2)))
struct ExportKeeperTests {
    let packs = PackFixture()
    var fixture: PipelineFixture { packs.fixture }
    let maker = FakePictures()

    @Test("A pack's exports follow its index; a new sticker rewrites only what it concerns")
    func follows() async throws {
        try await arrive("a.png", "b.png")
        try await keeping { keeper in
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png", "b.png"]) })
            // The list is not the last file of a pass.
            try await untilIdle()
            let before = try files()
            try await arrive("c.png")
            keeper.wake()
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png", "b.png", "c.png"]) })
            #expect(try await fixture.eventually { try files()["exports.js"] != before["exports.js"] })
            let after = try files()
            let same = before.keys.filter { before[$0]?.contents == after[$0]?.contents }.sorted()
            #expect(same.filter { $0.hasPrefix("fake/pictures/") } == ["fake/pictures/c0.png", "fake/pictures/c1.png"])
            #expect(maker.made == 3)
            let picture = try #require(after["fake/pictures/c0.png"])
            let stored = try #require(after.first { $0.key.hasPrefix(".pictures/") && $0.value.inode == picture.inode })
            #expect(stored.value.device == picture.device)
        }
        let before = try files()
        try await keeping { (_: ExportKeeper) async throws in try await untilIdle() }
        #expect(try files() == before)
        #expect(maker.made == 3)
    }

    @Test("The page's script offers the downloads, and the reason of what is withheld")
    func script() async throws {
        try await arrive("a.png")
        try await keeping(FakeExport(), FakeExport(name: "strict", needsPublisher: true), publisher: "") {
            (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("exports.js") != nil })
        }
        let bytes = try #require(try files()["fake/all.zip"]).size
        #expect(
            contents("exports.js") == """
                globalThis.stickerdExports = [
                {"name":"fake","title":"Fake","purpose":"For tests.","notes":["A note."],"downloads":\
                [{"file":"fake/all.zip","bytes":\(bytes)}]},
                {"name":"strict","title":"Fake","purpose":"For tests.","notes":[],"downloads":[],\
                "withheld":"Set pack.publisher."}];

                """)
        #expect(contents("strict/withheld.txt") == "Set pack.publisher.\n")
        let withheld = WithheldExport(pack: "", export: "strict", reason: "Set pack.publisher.")
        #expect(try LibraryReport(of: fixture.library.folder).withheld == [withheld])
        let strict = FakeExport(name: "strict", needsPublisher: true)
        try await keeping(FakeExport(), strict, publisher: "me") { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("strict/withheld.txt") == nil })
        }
        #expect(contents("strict/list.txt") != nil)
        #expect(try LibraryReport(of: fixture.library.folder).withheld.isEmpty)
        try await keeping(FakeExport(), strict, publisher: "") { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("exports.js")?.contains("withheld") == true })
        }
        #expect(
            try files().keys.filter { $0.hasPrefix("strict/") }.sorted() == ["strict/files.txt", "strict/withheld.txt"])
        #expect(fixture.log.said.count { $0.hasPrefix("An export is withheld") } == 2)
    }

    @Test("An export that the settings no longer have is removed, with all pictures after the last; names stay")
    func settings() async throws {
        try await arrive("a.png")
        try await keeping(FakeExport(), FakeExport(name: "other", form: Self.otherForm)) { keeper in
            #expect(try await fixture.eventually { contents("other/list.txt") != nil })
            try fixture.folder.write([1], to: "outbox/exports/other/mine.txt")
            keeper.update([FakeExport()], settings())
            #expect(
                try await fixture.eventually {
                    try files().keys.filter { $0.hasPrefix("other/") } == ["other/mine.txt"]
                        && files().keys.count { $0.hasPrefix(".pictures/") } == 1
                })
            #expect(contents("fake/list.txt") != nil)
            keeper.update([], settings())
            #expect(try await fixture.eventually { try files().keys.sorted() == ["names.json", "other/mine.txt"] })
        }
    }

    @Test("Exports wait while names.json has a mistake, which stays; status says why")
    func names() async throws {
        try await arrive("a.png")
        try fixture.folder.write("{oops", to: "outbox/exports/names.json")
        try await keeping { keeper in
            #expect(try await fixture.eventually { fixture.conditions.has(.exports(ofPack: "")) })
            #expect(fixture.conditions.reasons.first?.contains("names.json") == true)
            #expect(contents("names.json") == "{oops")
            #expect(contents("fake/list.txt") == nil)
            try fixture.folder.write(#"{"stickers": {}}"#, to: "outbox/exports/names.json")
            #expect(try await fixture.eventually { contents("fake/list.txt") != nil })
            #expect(try await fixture.eventually { !fixture.conditions.has(.exports(ofPack: "")) })
        }
    }

    @Test("Another's file in one export's way does not stop the other exports")
    func occupied() async throws {
        try await arrive("a.png")
        try fixture.folder.write([1], to: "outbox/exports/fake/list.txt")
        try await keeping(FakeExport(), FakeExport(name: "other")) { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { fixture.conditions.has(.exports(ofPack: "")) })
            #expect(fixture.conditions.reasons.first?.contains("exports/fake/list.txt") == true)
        }
        #expect(contents("other/list.txt") != nil && contents("fake/list.txt") == "\u{1}")
        #expect(contents("fake/all.zip") == nil)
    }

    @Test("What a pass removed for other settings, and could not complete, is written again for the former ones")
    func settingsBack() async throws {
        try await arrive("a.png")
        try await keeping { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("fake/list.txt") != nil })
            try await untilIdle()
        }
        try fixture.folder.write([1], to: "outbox/exports/other")
        try await keeping(FakeExport(name: "other")) { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { fixture.conditions.has(.exports(ofPack: "")) })
        }
        #expect(contents("fake/list.txt") == nil)
        try await keeping { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png"]) })
            #expect(try await fixture.eventually { !fixture.conditions.has(.exports(ofPack: "")) })
        }
    }

    @Test("A full disk is reported once, other troubles for each export")
    func fullDisk() {
        var outcome = PackExporter.Outcome()
        for name in ["a", "b"] {
            outcome.add(.refused(FilePath(name), .noSpace))
            outcome.add(.occupied(FilePath(name)))
        }
        #expect(outcome.troubles.count == 3)
    }

    @Test("Without room on the disk, exports wait, and status says why")
    func room() async throws {
        try await arrive("a.png")
        try await keeping { keeper in
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png"]) })
            keeper.update([FakeExport()], settings(minFreeBytes: .max))
            try await arrive("b.png")
            keeper.wake()
            #expect(try await fixture.eventually { fixture.conditions.has(.exports(ofPack: "")) })
            #expect(fixture.conditions.reasons.first?.contains("limits.minFreeBytes") == true)
            #expect(contents("fake/list.txt") == list(["a.png"]))
            keeper.update([FakeExport()], settings())
            keeper.wake()
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png", "b.png"]) })
            #expect(try await fixture.eventually { !fixture.conditions.has(.exports(ofPack: "")) })
        }
    }

    @Test("Without workers, exports wait; however often it is woken, the keeper tries again at growing intervals")
    func intervals() async throws {
        try await arrive("a.png")
        maker.setAway(true)
        try await keeping { (keeper: ExportKeeper) async throws in
            for _ in 0..<10 {
                let before = maker.asked
                keeper.wake()
                #expect(try await eventually { maker.asked > before })
            }
            // Each of ten alarms would lead to the next.
            #expect(try await eventually { fixture.clock.sleeps.count == 1 })
            let before = maker.asked
            fixture.clock.advance(by: .seconds(3))
            #expect(fixture.clock.sleeps.count == 1 && maker.asked == before)
            #expect(try await fixture.eventually { maker.asked > before })
            #expect(contents("fake/list.txt") == nil)
            maker.setAway(false)
            #expect(try await fixture.eventually { contents("fake/list.txt") != nil })
        }
    }

    @Test("Exports wait for the index that will list a finished sticker")
    func unlisted() async throws {
        try await arrive("a.png")
        try await packs.make(["b.png"])
        try await keeping { (keeper: ExportKeeper) async throws in
            #expect(try await eventually { fixture.clock.sleeps == [.seconds(60)] })
            #expect(contents("fake/list.txt") == nil)
            try await packs.writing()
            keeper.wake()
            #expect(try await fixture.eventually { contents("fake/list.txt") == list(["a.png", "b.png"]) })
        }
    }

    @Test("A reload does not wait for exports that are being written")
    func reload() async throws {
        try await arrive("a.png")
        let gate = Gate()
        try await keeping(FakeExport(gate: gate)) { (keeper: ExportKeeper) async throws in
            #expect(try await eventually { gate.isAwaited })
            // Ends the wait of a call that waits for the keeper's thread.
            let limit = Task {
                try? await Task.sleep(for: .seconds(30))
                gate.open()
            }
            keeper.recheck()
            keeper.update([FakeExport(), FakeExport(name: "other")], settings())
            #expect(gate.isClosed)
            gate.open()
            limit.cancel()
            #expect(try await fixture.eventually { contents("other/list.txt") != nil })
        }
    }

    @Test("Workers that stop before the exports do are no trouble to report")
    func workersStop() async throws {
        let pool = WorkerPool(executable: "/nothing", count: 1, logger: fixture.logger)
        await pool.close()
        let pictures = WorkerPictures(pool, limits: DecodeLimits(), timeout: .seconds(1))
        await #expect(throws: PictureFailure.stopped) { try await pictures.picture(of: -1, Self.otherForm) }
    }

    static let otherForm = PictureForm(width: 32, height: 32, format: .png, maxBytes: 1000)

    func arrive(_ names: String...) async throws {
        try await packs.make(names)
        try await packs.writing()
    }

    /// Runs a keeper during `body`.
    func keeping(
        _ exports: FakeExport..., publisher: String? = nil,
        _ body: (ExportKeeper) async throws -> Void
    ) async throws {
        if let publisher { try await packs.writing(as: publisher) }
        let keeper = try ExportKeeper(
            library: fixture.library, outbox: fixture.outbox, maker: maker,
            exports: exports.isEmpty ? [FakeExport()] : exports,
            known: [FakeExport(), FakeExport(name: "other"), FakeExport(name: "strict")],
            settings: settings(publisher: publisher ?? "me"),
            conditions: fixture.conditions, logger: fixture.logger)
        async let end: Void = keeper.run()
        defer { keeper.stop() }
        try await body(keeper)
        keeper.stop()
        await end
    }

    func settings(publisher: String = "me", minFreeBytes: Int = 0) -> PackSettings {
        PackSettings(
            name: "Stickers", identifier: "stickers", publisher: publisher, colorCount: 5, minFreeBytes: minFreeBytes)
    }

    /// Returns when the keeper waits for nothing but its next recheck.
    func untilIdle() async throws {
        #expect(try await eventually { fixture.clock.sleeps == [.seconds(600)] })
    }

    func contents(_ file: String) -> String? {
        fixture.folder.text(of: "outbox/exports/\(file)")
    }

    func files() throws -> [String: FileIdentity] {
        fixture.folder.files(below: "outbox/exports")
    }

    /// The list that the export writes of these photos' stickers.
    func list(_ photos: [String]) -> String {
        photos.enumerated().map { "c\($0.offset).png \(FilePath($0.element).stem ?? "")\n" }.joined()
    }
}
