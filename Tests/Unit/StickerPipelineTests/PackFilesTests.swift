import Conditions
import Foundation
import Glibc
import LinuxIO
import PackFacts
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Page, ZIP and palettes of a pack", .timeLimit(.minutes(1)))
struct PackFilesTests {
    let fixture: PipelineFixture
    let packs: PackFixture
    let gallery = PackSettings.Gallery(maxArchiveBytes: 1_000_000)

    init() throws {
        fixture = try PipelineFixture()
        packs = PackFixture(fixture)
    }

    func names(_ folder: String = "") throws -> Set<String> {
        let path = fixture.folder["outbox"].appending(folder).string
        return Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).subtracting([".stickerd"])
    }

    @Test("With a gallery there is a page from the start, and a ZIP with the first sticker")
    func page() async throws {
        try await packs.writing(gallery: gallery)
        #expect(try names() == ["pack.json", "index.html", "packs.js", "pack"])
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().contains("stickers.zip") }
            #expect(isThere)
        }
        let sticker = try #require(try packs.index()?.stickers.first).file
        #expect(try names() == ["pack.json", "index.html", "packs.js", "pack", "stickers.zip", sticker])
        let page = String(decoding: try fixture.published()["index.html"] ?? [], as: UTF8.self)
        #expect(page.contains(sticker) && page.contains("stickers.zip"))
    }

    @Test("A restart writes missing files only")
    func restart() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(palettes: [.css], gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().contains("stickers.zip") }
            #expect(isThere)
        }
        let inodes = try files()
        try await packs.writing(palettes: [.css], gallery: gallery) { _ in try await packs.untilWritten() }
        #expect(try files() == inodes)
        for name in ["index.html", "stickers.zip"] {
            try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(name).string)
        }
        try await packs.writing(palettes: [.css], gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().isSuperset(of: ["index.html", "stickers.zip"]) }
            #expect(isThere)
        }
    }

    /// The inode of each file in the outbox, which changes when the file is rewritten.
    func files() throws -> [String: UInt64] {
        let root = fixture.folder["outbox"].string
        var files: [String: UInt64] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            files[name] =
                try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.systemFileNumber] as? UInt64
        }
        return files
    }

    @Test("A pack that is too large for a ZIP of all stickers has one of the newest, and the page says so")
    func newest() async throws {
        for number in 1...9 { try await fixture.arrive("\(number).png") }
        try await packs.finishAll((1...9).map { "\($0).png" })
        // Each sticker has 64 bytes, and its records in the ZIP about 150.
        try await packs.writing(gallery: .init(maxArchiveBytes: 1200)) { _ in
            let isNewest = try await fixture.eventually { try page().contains("\"newest\":1") }
            #expect(isNewest)
        }
        let size = try #require(try fixture.published()["stickers.zip"]).count
        #expect(size <= 1200)
        let text = String(decoding: try fixture.published()["stickers.zip"] ?? [], as: UTF8.self)
        #expect(text.contains("9-") && !text.contains("1-"))
    }

    @Test("A reload finds a change inside a ZIP that kept its size and time")
    func damagedArchive() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().contains("stickers.zip") }
            #expect(isThere)
        }
        let good = try #require(try fixture.published()["stickers.zip"])
        var bad = good
        bad[100] ^= 1
        try fixture.folder.rewrite(bad, to: "outbox/stickers.zip")
        try await packs.writing(gallery: gallery) { writer in
            writer.recheck()
            let isRepaired = try await fixture.eventually { try fixture.published()["stickers.zip"] == good }
            #expect(isRepaired)
        }
    }

    @Test("A pack that is too large for a ZIP has none, not even an old one")
    func noArchive() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().contains("stickers.zip") }
            #expect(isThere)
        }
        try await packs.writing(gallery: .init(maxArchiveBytes: 10)) { _ in
            let isThere = try await fixture.eventually { try !names().contains("stickers.zip") }
            #expect(isThere)
        }
    }

    @Test(
        "A ZIP that would fill the disk is not written; that is logged once, and the page links the existing one"
    )
    func noRoom() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery, minFreeBytes: 1 << 60) { writer in
            let isLogged = try await fixture.eventually {
                fixture.log.said.contains { $0.contains("Cannot write a pack's stickers.zip") }
            }
            #expect(isLogged)
            #expect(fixture.conditions.has(.archive(ofPack: ExactName(""))))
            writer.recheck()
        }
        #expect(try !names().contains("stickers.zip"))
        #expect(try !page().contains("stickers.zip"))
        #expect(fixture.log.said.filter { $0.contains("Cannot write a pack's stickers.zip") }.count == 1)
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try page().contains("stickers.zip") }
            #expect(isThere)
            #expect(!fixture.conditions.has(.archive(ofPack: ExactName(""))))
        }
        try await fixture.arrive("b.png")
        try await packs.finishAll(["b.png"])
        try await packs.writing(gallery: gallery, minFreeBytes: 1 << 60) { _ in
            let isLogged = try await fixture.eventually {
                fixture.log.said.filter { $0.contains("Cannot write a pack's stickers.zip") }.count == 2
            }
            #expect(isLogged)
        }
        #expect(try names().contains("stickers.zip"))
        #expect(try page().contains("\"stickers\":1}"))
    }

    @Test("Without the gallery, its page, its ZIP and its list of packs are removed, but no other program's files")
    func switchedOff() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually { try names().contains("stickers.zip") }
            #expect(isThere)
        }
        let sticker = try #require(try packs.index()?.stickers.first).file
        try await packs.writing { _ in
            let areGone = try await fixture.eventually {
                try names() == ["pack.json", sticker, "pack"] && names("pack").isEmpty
            }
            #expect(areGone)
        }
        let others = ["index.html", "packs.js", "stickers.zip"]
        for name in others { try fixture.folder.write(Array("mine".utf8), to: "outbox/\(name)") }
        try await packs.writing { _ in try await packs.untilWritten() }
        #expect(try names() == Set(["pack.json", sticker, "pack"] + others))
    }

    @Test("Pipes in the place of a pack's files do not block, and are replaced")
    func pipes() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        let names = ["pack.json", "index.html", "packs.js", "stickers.zip"]
        for name in names { try makePipe(name) }
        try await packs.writing(gallery: gallery) { _ in
            let isThere = try await fixture.eventually {
                try names.allSatisfy { try FileStatus(of: fixture.folder["outbox"].appending($0)).kind == .regular }
            }
            #expect(isThere)
        }

        let sticker = try #require(try packs.index()?.stickers.first).file
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(sticker).string)
        try makePipe(sticker)
        try await fixture.arrive("b.png")
        try await packs.finishAll(["b.png"])
        // The ZIP has no other source for the first sticker.
        try FileManager.default.removeItem(atPath: fixture.folder["outbox/stickers.zip"].string)
        try await packs.writing(gallery: gallery) { _ in
            let isListed = try await fixture.eventually { try packs.index()?.stickers.count == 2 }
            #expect(isListed)
        }
        #expect(try !self.names().contains("stickers.zip"))
    }

    private func makePipe(_ name: String) throws {
        let path = fixture.folder["outbox"].appending(name).string
        // The string outlives the call.
        #expect(unsafe mkfifo(path, 0o600) == 0)
    }

    func page() throws -> String {
        String(decoding: try fixture.published()["index.html"] ?? [], as: UTF8.self)
    }

    @Test("Palettes follow the settings' formats, even for earlier photos")
    func palettes() async throws {
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing()
        #expect(try names("palettes") == [])
        try await fixture.arrive("b.png")
        try await packs.finishAll(["b.png"])
        try await packs.writing(palettes: [.css, .gpl])
        let stem = try #require(try packs.index()?.stickers.first).file.dropLast(4)
        #expect(try names("palettes").isSuperset(of: ["\(stem).css", "\(stem).gpl"]))
        #expect(try names("palettes").count == 4)
        try await packs.writing(palettes: [.gpl])
        #expect(try names("palettes").count == 2)
        try await packs.writing()
        #expect(try names("palettes") == [])
    }

    @Test("Palettes that others deleted or changed are written again at the next start, and when they are checked")
    func lostPalettes() async throws {
        try await fixture.arrive("a.png")
        try await fixture.arrive("b.png")
        try await packs.finishAll(["a.png", "b.png"])
        try await packs.writing(palettes: [.css])
        let before = try fixture.published("palettes")
        let palettes = try names("palettes").sorted().map { "palettes/\($0)" }
        #expect(palettes.count == 2)
        try fixture.folder.remove("outbox/\(palettes[0])")
        try fixture.folder.write(Array("mine".utf8), to: "outbox/\(palettes[1])")
        try await packs.writing(palettes: [.css]) { _ in try await packs.untilWritten() }
        #expect(try fixture.published("palettes") == before)
        try await packs.writing(palettes: [.css]) { writer in
            try await packs.untilWritten()
            try fixture.folder.remove("outbox/palettes")
            writer.recheck()
            let areThere = try await fixture.eventually { (try? fixture.published("palettes")) == before }
            #expect(areThere)
        }
    }

    @Test("A photo without a subject has a palette, too")
    func paletteWithoutSubject() async throws {
        try await fixture.arrive("wall.png")
        let claim = try #require(try await fixture.library.claim(limit: 1).first)
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.resolve(claim, photo: "0123456789")
        try await fixture.library.finish(
            claim,
            as: .noSubject(
                .init(
                    photo: "0123456789",
                    facts: PhotoFacts(format: .png, width: 9, height: 9, confidence: 0.1, colors: PackFixture.red),
                    recipe: "r"), stems: ["wall-01234567"]))
        try await packs.writing(palettes: [.css], gallery: gallery)
        #expect(try names("palettes") == ["wall-01234567.css"])
        let page = String(decoding: try fixture.published()["index.html"] ?? [], as: UTF8.self)
        #expect(page.contains(PackFixture.red.description))
    }
}
