import Foundation
import LinuxIO
import PhotoFacts
import PhotoLibrary
@testable import StickerPipeline
import TestSupport
import Testing

@Suite("Names of stickers", .timeLimit(.minutes(1)))
struct StickerNameTests {
    private let fixture: PipelineFixture
    private let packs: PackFixture

    init() throws {
        fixture = try PipelineFixture()
        packs = PackFixture(fixture)
    }

    /// The names in `pack.json`, in its order.
    private func names() throws -> [String?] {
        struct Index: Decodable {
            struct Sticker: Decodable { let name: String? }
            let stickers: [Sticker]
        }
        let data = Data(try fixture.published()[OutboxName.index] ?? [])
        return try JSONDecoder().decode(Index.self, from: data).stickers.map(\.name)
    }

    @Test("A sticker has the name of its photo's file, not of its own, in pack.json and on the page")
    func real() async throws {
        let files = [
            "Apple iPhone 5.jpg", "Samsung SM-G935L (Galaxy S7 Edge).jpg", "red_car.png", "Grüße & Küsse 🦊.png",
        ]
        try fixture.write(try PipelineFixture.photo(), to: files[0])
        try await fixture.arrive(files[0])
        try await fixture.processing { try await fixture.drain($0) }
        try await fixture.arrive(files[1], files[2], files[3])
        try await packs.finishAll(Array(files[1...]))
        try await packs.writing(gallery: .init(maxArchiveBytes: 0))
        let expected = ["Apple iPhone 5", "Samsung SM-G935L (Galaxy S7 Edge)", "red car", "Grüße & Küsse"]
        #expect(try names() == expected)
        let page = String(decoding: try fixture.published()["index.html"] ?? [], as: UTF8.self)
        #expect(page.contains(#""name":"Samsung SM-G935L (Galaxy S7 Edge)""#))
        #expect(page.contains(#""name":"Apple iPhone 5","added""#))
        #expect(page.contains(#""name":"Grüße \u0026 Küsse","emoji":["🦊"]"#))
    }

    @Test(
        "Underscores and hyphens separate words if no space does; dates stay together",
        arguments: [
            ("cat.jpg", "cat"), ("red_car.jpg", "red car"), ("Apple-iPhone-5.jpg", "Apple iPhone 5"),
            ("2024-05-01_beach.jpg", "2024-05-01 beach"), ("T-shirt and jeans.jpg", "T-shirt and jeans"),
            ("  two   spaces .jpg", "two spaces"), ("-_-.jpg", "-_-"), (".jpg", ".jpg"), ("a.b.c.png", "a.b.c"),
            ("\u{202e}evil.png", "evil"), ("two\nlines.png", "two lines"),
            ("red-car (2).jpg", "red car (2)"), ("red-car 2.jpg", "red-car 2"),
            ("red-car (last).jpg", "red-car (last)"),
            (String(repeating: "é", count: 90) + ".png", String(repeating: "é", count: 60)),
        ])
    func words(file: String, name: String) async throws {
        try await fixture.arrive(file)
        try await packs.finishAll([file])
        try await packs.writing()
        #expect(try names() == [name])
    }

    @Test(
        "A sticker of an earlier release gets its name from its own file; one that hides its photo's name keeps its digits"
    )
    func earlier() {
        func name(_ file: String) -> String {
            let sticker = StickerRecord(
                StickerFacts(width: 1, height: 1, confidence: 1), pack: "", photo: String(repeating: "5e", count: 32),
                file: file, bytes: 1, sha256: "", recipe: "r")
            return StickerWords(of: sticker).name
        }
        #expect(name("Apple-iPhone-5-5e5e5e5e.png") == "Apple iPhone 5")
        #expect(name("5e5e5e5e.png") == "5e5e5e5e")
    }

    @Test("A rebuilt Library keeps the stickers' emoji in pack.json, but neither the pack's nor invalid ones")
    func rebuiltEmoji() async throws {
        struct Index: Decodable {
            struct Sticker: Decodable { let name, text: String, emoji: [String] }
            let stickers: [Sticker]
        }
        func words(_ fixture: PipelineFixture) throws -> [[String]] {
            let data = Data(try fixture.published()[OutboxName.index] ?? [])
            return try JSONDecoder().decode(Index.self, from: data).stickers.map { [$0.name, $0.text] + $0.emoji }
        }
        let files = ["red_car 🚗🏴󠁧󠁢󠁷󠁬󠁳󠁿.png", "🐱.png", "IMG_0012.png", "caf\u{202e}.png", "T-shirt 👕.png"]
        try await fixture.arrive(files[0], files[1], files[2], files[3], files[4])
        try await packs.finishAll(files)
        try await packs.writing(emoji: ["❤️"])
        let expected = [
            ["red car", "red car", "🚗", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"], ["🐱", "", "🐱"], ["IMG 0012", ""],
            ["caf", "caf"], ["T shirt", "T shirt", "👕"],
        ]
        #expect(try words(fixture) == expected)
        let other = try PipelineFixture()
        for (name, bytes) in try fixture.published() {
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing(#""emoji":["👕"]"#, with: #""emoji":["👕","evil words","👕"]"#)
            try other.folder.write(name == OutboxName.index ? Array(text.utf8) : bytes, to: "outbox/\(name)")
        }
        #expect(try await other.outbox.takeOver() == 5)
        try await PackFixture(other).writing()
        #expect(try words(other) == expected)
    }

    @Test("A rebuilt Library keeps hidden names hidden")
    func rebuiltHidden() async throws {
        let name = "secret 🐱.png"
        try fixture.write(try PipelineFixture.photo(), to: name)
        try await fixture.arrive(name)
        try await fixture.processing(keepStem: false) { try await fixture.drain($0) }
        try await packs.writing(gallery: .init(maxArchiveBytes: 0))
        let other = try PipelineFixture()
        for (file, bytes) in try fixture.published() { try other.folder.write(bytes, to: "outbox/\(file)") }
        #expect(try await other.outbox.takeOver() == 1)
        try other.write(try PipelineFixture.photo(), to: name)
        try await other.arrive(name)
        try await other.processing(keepStem: false) { try await other.drain($0) }
        try await PackFixture(other).writing(gallery: .init(maxArchiveBytes: 0))
        #expect(try await other.count(.done) == 1)
        #expect(try await other.library.stickerRecords(ofPack: "").map(\.stem) == [nil])
        for file in [OutboxName.index, "index.html"] {
            let text = String(decoding: try #require(try other.published()[file]), as: UTF8.self)
            #expect(!text.contains("secret") && !text.contains("🐱"))
        }
    }

    @Test("A rebuilt Library has no stem for digits in place of a name, with or without a number; emoji are one")
    func rebuiltDigits() async throws {
        let photo = String(repeating: "5e", count: 32)
        let names = [
            ("5e5e5e5e.png", "5e5e5e5e"), ("5e5e5e5e-2.png", "5e5e5e5e 2"), ("5e5e5e5e-3.png", "5e5e5e5e-3"),
            ("5e5e5e5e5e5e5e5e_2.png", "5e5e5e5e5e5e5e5e 2"), ("5e5e5e5e-5.png", "🐱"),
        ]
        let stickers = names.enumerated().map { number, sticker in
            """
            {"id": "sha256:\(photo)\(number > 0 ? "#\(number + 1)" : "")", "file": "\(sticker.0)",
            "name": "\(sticker.1)", "emoji": [\(sticker.1 == "🐱" ? "\"🐱\"" : "")], "width": 1, "height": 1,
            "bytes": 3, "addedAt": "2026-01-01T00:00:00.000Z", "confidence": 1, "colors": []}
            """
        }
        let index = """
            {"schemaVersion": 1, "revision": 7, "updated": "", "pack": {"name": "", "identifier": "", "publisher": ""},
            "pending": [], "failed": [], "stickers": [\(stickers.joined(separator: ","))]}
            """
        for (file, _) in names { try fixture.folder.write([1, 2, 3], to: "outbox/\(file)") }
        try fixture.folder.write(Array(index.utf8), to: "outbox/pack.json")
        #expect(try await fixture.outbox.takeOver() == 5)
        #expect(try await fixture.library.stickerRecords(ofPack: "").map(\.stem) == [nil, nil, nil, nil, "🐱"])
    }

    @Test("A rebuilt Library keeps the names in pack.json")
    func rebuilt() async throws {
        try await fixture.arrive("Apple iPhone 5 (1).jpg")
        try await packs.finishAll(["Apple iPhone 5 (1).jpg"])
        try await packs.writing()
        let other = try PipelineFixture()
        let files = try fixture.published()
        for (name, bytes) in files { try other.folder.write(bytes, to: "outbox/\(name)") }
        #expect(try await other.outbox.takeOver() == 1)
        try await PackFixture(other).writing()
        #expect(try names() == ["Apple iPhone 5 (1)"])
        #expect(
            try other.published()[OutboxName.index].map { String(decoding: $0, as: UTF8.self) }?
                .contains(#""name":"Apple iPhone 5 (1)""#) == true)
    }
}
