import Conditions
import FileNames
import Foundation
import Glibc
import LinuxIO
import PackFacts
import PackLedger
import SystemPackage
import Testing
import TestSupport

@testable import Outbox
@testable import Packs

@Suite("Page and ZIP of a pack", .timeLimit(.minutes(1)))
struct PackFilesTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }
    private let gallery = PackSettings.Gallery(maxArchiveBytes: 1_000_000)

    @Test("A pack that is too large for a ZIP has one of the newest stickers, and the page says so, or none")
    func newest() async throws {
        try await packs.make(1...9)
        // Each sticker has 64 bytes, and its records in the ZIP about 150.
        try await packs.writing(gallery: .init(maxArchiveBytes: 1200)) { _ in
            try await fixture.until { packs.page.contains("\"newest\":1") }
        }
        let text = try #require(fixture.folder.text(of: "outbox/stickers.zip"))
        #expect(try fixture.published()["stickers.zip"]?.count ?? .max <= 1200)
        // In the files' heads, and in the directory.
        let order = text.matches(of: #/(\d)-[0-9a-f]{8}\.png/#).map(\.1)
        #expect(order == ["5", "6", "7", "8", "9", "5", "6", "7", "8", "9"])
        try await packs.writing(gallery: .init(maxArchiveBytes: 10)) { _ in
            try await fixture.until { !packs.names().contains("stickers.zip") }
        }
    }

    @Test("A ZIP that would fill the disk is not written; that is logged once, and the page links the existing one")
    func noRoom() async throws {
        let refusal = "Cannot write a pack's stickers.zip"
        try await packs.make(["a.png"])
        try await packs.writing(gallery: gallery, minFreeBytes: 1 << 60) { writer in
            try await fixture.until { fixture.log.said.contains { $0.contains(refusal) } }
            #expect(fixture.conditions.has(.archive(ofPack: ExactName(""))))
            writer.recheck()
        }
        #expect(!packs.names().contains("stickers.zip") && !packs.page.contains("stickers.zip"))
        #expect(fixture.log.said.count { $0.contains(refusal) } == 1)
        try await packs.writing(gallery: gallery) { _ in
            try await fixture.until { packs.page.contains("stickers.zip") }
            #expect(!fixture.conditions.has(.archive(ofPack: ExactName(""))))
        }
        try await packs.make(["b.png"])
        try await packs.writing(gallery: gallery, minFreeBytes: 1 << 60) { _ in
            try await fixture.until { fixture.log.said.count { $0.contains(refusal) } == 2 }
        }
        #expect(packs.names().contains("stickers.zip") && packs.page.contains("\"stickers\":1}"))
    }

    @Test("Without the gallery, its page, its ZIP and its list of packs are removed, but no other program's files")
    func switchedOff() async throws {
        try await packs.make(["a.png"])
        try await packs.writing(gallery: gallery) { _ in try await packs.untilThere("stickers.zip") }
        let sticker = try #require(try packs.index()?.stickers.first).file
        try await packs.writing { _ in
            try await fixture.until { packs.names() == ["pack.json", sticker, "pack"] && packs.names("pack").isEmpty }
        }
        let others = ["index.html", "packs.js", "stickers.zip"]
        for name in others { try fixture.folder.write("mine", to: "outbox/\(name)") }
        try await packs.writing { _ in try await packs.untilWritten() }
        #expect(packs.names() == Set(["pack.json", sticker, "pack"] + others))
    }

    @Test("Pipes in the place of a pack's files do not block, and are replaced")
    func pipes() async throws {
        try await packs.make(["a.png"])
        let names = ["pack.json", "index.html", "packs.js", "stickers.zip"]
        for name in names { try makePipe(name) }
        try await packs.writing(gallery: gallery) { _ in
            try await fixture.until {
                try names.allSatisfy { try FileStatus(of: fixture.folder["outbox/\($0)"]).kind == .regular }
            }
        }

        let sticker = try #require(try packs.index()?.stickers.first).file
        try fixture.folder.remove("outbox/\(sticker)")
        try makePipe(sticker)
        try await packs.make(["b.png"])
        // The ZIP has no other source for the first sticker.
        try fixture.folder.remove("outbox/stickers.zip")
        try await packs.writing(gallery: gallery)
        #expect(try packs.index()?.stickers.count == 2)
        #expect(!packs.names().contains("stickers.zip"))
    }

    private func makePipe(_ name: String) throws {
        try fixture.folder.makeFIFO("outbox/\(name)")
    }

    @Test("The page's script is a file that a new sticker does not rewrite; that of another release is removed")
    func script() async throws {
        try await packs.writing(gallery: gallery)
        let name = try #require(packs.names("pack").first)
        #expect(packs.names("pack").count == 1 && packs.page.contains("<script src=\"pack/\(name)\" defer>"))
        let before = try packs.files()
        try await packs.make(["a.png"])
        try await packs.writing(gallery: gallery)
        let after = try packs.files()
        #expect(after["pack/\(name)"] == before["pack/\(name)"] && after["index.html"] != before["index.html"])

        let former = try PlannedFile("pack/gallery-0123456789abcdef.js", [1])
        let publisher = Publisher(library: fixture.library, outbox: fixture.outbox)
        let changes = try await publisher.publish([(.page, [former])], inPack: "")
        try await fixture.library.record(changes, ofPack: "", isWhole: true)
        try fixture.folder.write([1], to: "outbox/pack/gallery-mine.js")
        try await packs.writing(gallery: gallery)
        #expect(packs.names("pack") == [name, "gallery-mine.js"])
    }
}
