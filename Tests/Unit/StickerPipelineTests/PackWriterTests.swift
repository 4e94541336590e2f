import Conditions
import FileNames
import Foundation
import LinuxIO
import PackFacts
import Packs
import PhotoLibrary
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("pack.json", .timeLimit(.minutes(1)))
struct PackWriterTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }

    @Test("Only a written change increments the revision, by one, even across restarts")
    func revision() async throws {
        try await packs.writing()
        let first = try fixture.published()
        try await packs.writing { writer in
            for count in 1...3 {
                try await packs.untilWritten(count)
                fixture.library.giveBack(changedPacks: [""])
                writer.wake()
            }
        }
        #expect(try fixture.published() == first)

        try await packs.make(["a.png"])
        try await packs.writing()
        #expect(try packs.index()?.revision == 2)
        try await packs.writing(as: "you")
        #expect(try packs.index()?.revision == 3)
        try fixture.folder.remove("outbox/pack.json")
        try await packs.writing(as: "you")
        #expect(try packs.index()?.revision == 4)
    }

    @Test("A stop writes packs for a limited time, and the next start writes the others")
    func stopLimit() async throws {
        try await packs.make((1...20).map { "P\($0)/a.png" })
        let settings = PackSettings(
            name: "Stickers", identifier: "stickers", publisher: "", emoji: [], colorCount: 5, paletteFormats: [],
            gallery: nil, minFreeBytes: 0)
        let writer = PackWriter(
            library: fixture.library, outbox: fixture.outbox, settings: settings,
            conditions: CurrentConditions(logger: fixture.logger, clock: ManualClock(lookTime: .seconds(5))),
            logger: fixture.logger)
        writer.stop(within: .seconds(30))
        try await writer.run()
        func written() throws -> Int { try (1...20).count { try packs.index("P\($0)") != nil } }
        #expect((1...6).contains(try written()))
        try await packs.writing()
        #expect(try written() == 20)
    }

    @Test("No revision is used again if another program restores an old pack.json")
    func restored() async throws {
        try await packs.writing()
        let old = try #require(try fixture.published()["pack.json"])
        for publisher in ["you", "me"] { try await packs.writing(as: publisher) }
        #expect(try packs.index()?.revision == 3)
        try fixture.folder.write(old, to: "outbox/pack.json")
        // Has the contents that the index would get.
        try await packs.writing()
        #expect(try packs.index()?.revision == 1)
        try await packs.writing(as: "you")
        #expect(try packs.index()?.revision == 4)
    }

    @Test("No revision is used again if pack.json is removed while the gallery's page cannot be written")
    func refusedPage() async throws {
        let gallery = PackSettings.Gallery(maxArchiveBytes: 0)
        try await packs.writing()
        try fixture.folder.write([1], to: "outbox/index.html/in the way")
        for publisher in ["you", "me"] { try await packs.writing(as: publisher, gallery: gallery) }
        #expect(try packs.index()?.revision == 3)
        try fixture.folder.remove("outbox/pack.json")
        try await packs.writing(gallery: gallery)
        #expect(try packs.index()?.revision == 4)
    }

    @Test(
        "An index is replaced by one with the next revision, or 2 if stickerd could not have written that one",
        arguments: [(1, 41, 42), (3, 0, 2), (3, -1, 2), (3, .max, 2)])
    func replaced(schema: Int, revision: Int, next: Int) async throws {
        try await packs.writing()
        let text = try #require(fixture.folder.text(of: "outbox/pack.json"))
            .replacing(
                "{\"schemaVersion\":3,\"revision\":1,", with: "{\"schemaVersion\":\(schema),\"revision\":\(revision),"
            )
            .replacing("\"me\"", with: "\"you\"")
        try fixture.folder.write(text, to: "outbox/pack.json")
        try await packs.writing()
        #expect(try packs.index()?.revision == next)
        #expect(fixture.folder.text(of: "outbox/pack.json")?.hasPrefix("{\"schemaVersion\":3,") == true)
    }

    @Test("A photo that is finished soon causes one write; a slow one is first listed as pending")
    func once() async throws {
        try await packs.writing { writer in
            try await packs.untilWritten()
            #expect(try packs.index()?.revision == 1)
            // Longer than the pause between two writes.
            fixture.clock.advance(by: .milliseconds(500))
            try await fixture.arrive("a.png")
            writer.wake()
            // It waits for the photo.
            #expect(try await eventually { fixture.clock.sleeps == [.milliseconds(300)] })
            fixture.clock.advance(by: .milliseconds(60))
            try await packs.finishAll(["a.png"])
            writer.wake()
            #expect(try await fixture.eventually { try packs.index()?.stickers.count == 1 })
            #expect(try packs.index()?.revision == 2)

            try await packs.untilWritten(2)
            fixture.clock.advance(by: .milliseconds(500))
            try await fixture.arrive("b.png")
            writer.wake()
            #expect(try await fixture.eventually { try packs.index()?.pending.count == 1 })
            #expect(try packs.index()?.revision == 3)
        }
    }

    @Test("A photo that arrives while the writer rests, and is finished soon after, causes one write, too")
    func onceAfterRest() async throws {
        try await packs.writing { writer in
            try await packs.untilWritten()
            #expect(try packs.index()?.revision == 1)
            // The queue is empty, so the writer rests until its next write.
            fixture.library.giveBack(changedPacks: [""])
            writer.wake()
            #expect(try await eventually { fixture.clock.sleeps == [.milliseconds(200)] })
            try await fixture.arrive("a.png")
            writer.wake()
            fixture.clock.advance(by: .milliseconds(200))
            #expect(try await eventually { fixture.clock.sleeps == [.milliseconds(300)] })
            try await packs.finishAll(["a.png"])
            writer.wake()
            #expect(try await fixture.eventually { try packs.index()?.stickers.count == 1 })
            #expect(try packs.index()?.revision == 2)
        }
    }

    @Test("Each pack has its own pack.json with its own revision, and ignored files make no pack")
    func subPacks() async throws {
        try await fixture.arrive("Cats & dogs/deep/a.png")
        let identity = FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1)
        _ = try await fixture.library.record([
            Arrival(path: PipelineFixture.path("junk/.x"), identity: identity, verdict: .ignored(reason: "hidden"))
        ])
        try await packs.finishAll(["Cats & dogs/deep/a.png"])
        try await packs.writing()
        #expect(try packs.index("Cats-dogs")?.name == "Cats & dogs")
        #expect(try packs.index("Cats-dogs")?.stickers.count == 1)
        #expect(try packs.index()?.stickers.isEmpty == true)
        #expect(try packs.index()?.revision == 1)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: fixture.folder["outbox"].string))
                == ["pack.json", "Cats-dogs", ".stickerd"])
    }

    @Test("Pending and failed photos are listed by file name and reason, without their paths")
    func privacy() async throws {
        try await fixture.arrive("Cats/secret-folder/broken.jpg", "Cats/secret-folder/waiting.jpg")
        let claim = try #require(try await fixture.library.claim(limit: 1).first)
        try await fixture.library.finish(claim, as: .failed(reason: "damaged"))
        try await packs.writing()
        let index = try #require(try packs.index("Cats"))
        #expect(index.failed.map { [$0.name, $0.reason] } == [["broken.jpg", "damaged"]])
        #expect(index.pending.map { [$0.name, $0.reason] } == [["waiting.jpg", nil]])
        let text = String(decoding: try fixture.published("Cats")["pack.json"] ?? [], as: UTF8.self)
        #expect(!text.contains("secret-folder") && !text.contains(fixture.folder.path.string))
    }

    @Test("The same contents give the same bytes in every release, safe inside HTML")
    func golden() async throws {
        try await fixture.arrive("a 🐱👩‍🚀.png", "<!--&\u{2028}.png", "broken.jpg")
        let claims = try await fixture.library.claim(limit: 3)
        try await packs.finish(claims[0], photo: String(repeating: "5e", count: 32))
        try await fixture.library.finish(claims[2], as: .failed(reason: "damaged: \"<\u{2028}\""))
        try await packs.writing(emoji: ["❤️"])
        let text = try #require(fixture.folder.text(of: "outbox/pack.json"))
        let time = try Regex("[0-9]{4}-[0-9-]+T[0-9:]+\\.[0-9]{3}Z")
        #expect(text.matches(of: time).count == 2)
        let golden = #"""
            {"schemaVersion":3,"revision":1,"updated":"TIME",
            "pack":{"identifier":"stickers","name":"Stickers","publisher":"me","emoji":["❤️"]},\#
            "pending":[{"name":"\u003c!--\u0026\u005cxe2\u005cx80\u005cxa8.png"}],\#
            "failed":[{"name":"broken.jpg","reason":"damaged: \u0022\u003c\u2028\u0022"}],"stickers":[
            {"id":"sha256:5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e",\#
            "name":"a","text":"a","emoji":["🐱","👩‍🚀"],"file":"a-5e5e5e5e.png","width":9,"height":7,"bytes":64,"addedAt":"TIME","confidence":0.75,"foundBy":"background",\#
            "colors":[{"hex":"#ff0000","weight":1,"name":"bright red"}],"subjectColors":[],\#
            "gradient":["#ff9485","#ff7563","#ff4c3c","#f90000"]}],"stickerCount":1}

            """#
        #expect(text.replacing(time, with: "TIME") == golden)
    }

    @Test("pack.json is written at most five times a second, and is complete soon after")
    func throttling() async throws {
        var count = 0
        try await packs.writing { writer in
            while count < 100 {
                count += 1
                try await fixture.arrive("\(count).png")
                writer.wake()
                // The writer may take its time, but not the clock's.
                fixture.clock.advance(by: .milliseconds(10))
            }
            #expect(try packs.index()?.revision ?? 0 <= 7)
            for claim in try await fixture.library.claim(limit: .max) {
                try await fixture.library.finish(claim, as: .failed(reason: "x"))
            }
            writer.wake()
            try await fixture.until { try packs.index()?.failed.count == count }
        }
    }

    @Test("A pack that cannot be written does not delay the others")
    func trouble() async throws {
        try fixture.folder.write([1], to: "outbox/A")
        try await fixture.arrive("A/a.png", "B/b.png")
        try await packs.writing { _ in
            try await fixture.until { try packs.index("B") != nil }
        }
        #expect(fixture.log.said.contains { $0.contains("Cannot write a pack's index") })
        #expect(fixture.conditions.has(.index(ofPack: ExactName("A"))))
        try fixture.folder.remove("outbox/A")
        try await packs.writing()
        #expect(try packs.index("A")?.pending.map(\.name) == ["a.png"])
        #expect(fixture.conditions.current.isEmpty)
    }

    @Test("A list of packs that cannot be written is a condition, and is written later although no pack changes")
    func list() async throws {
        try fixture.folder.makeFolder("outbox/packs.js")
        try await packs.writing(gallery: .init(maxArchiveBytes: 0)) { _ in
            try await fixture.until { fixture.conditions.has(.index(ofPack: ExactName(""))) }
            try fixture.folder.remove("outbox/packs.js")
            try await fixture.until { fixture.folder.bytes(of: "outbox/packs.js") != nil }
        }
        #expect(fixture.log.said.contains { $0.contains("outbox/packs.js: this folder has a file's name") })
        #expect(fixture.conditions.current.isEmpty)
    }

    @Test("Withdrawn stickers are logged in one line once their files are gone")
    func withdrawn() async throws {
        fixture.library.adopt(.withdraw)
        try await packs.make(["a.png", "b.png"])
        try await packs.writing()
        try await fixture.library.forget(["a.png", "b.png"].map(PipelineFixture.path))
        try await packs.writing()
        #expect(try packs.index()?.stickers.isEmpty == true)
        let lines = fixture.log.said.filter { $0.contains("Withdrew stickers") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\"stickers\": 2") == true)
        #expect(lines.first?.contains("stickers-withdrawn") == true)
    }
}
