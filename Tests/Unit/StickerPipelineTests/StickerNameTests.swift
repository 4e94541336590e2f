import Foundation
import OutboxLayout
import PackFacts
import Packs
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

@Suite("Names of stickers", .timeLimit(.minutes(1)))
struct StickerNameTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }

    /// Name, text and emoji of each sticker in `pack.json`, in its order.
    private func words(_ fixture: PipelineFixture) throws -> [[String]] {
        let stickers = try #require(try PackFixture(fixture).index()).stickers
        return stickers.map { [$0.name, $0.text] + $0.emoji }
    }

    @Test("A rebuilt Library keeps the stickers' emoji in pack.json, but neither the pack's nor invalid ones")
    func rebuiltEmoji() async throws {
        let files = ["red_car 🚗🏴󠁧󠁢󠁷󠁬󠁳󠁿.png", "🐱.png", "IMG_0012.png", "caf\u{202e}.png", "T-shirt 👕.png", "Apple 5 (1).png"]
        try await packs.make(files)
        try await packs.writing(emoji: ["❤️"])
        let expected = [
            ["red car", "red car", "🚗", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"], ["🐱", "", "🐱"], ["IMG 0012", ""],
            ["caf", "caf"], ["T shirt", "T shirt", "👕"], ["Apple 5 (1)", "Apple 5"],
        ]
        #expect(try words(fixture) == expected)
        let other = PipelineFixture()
        for (name, bytes) in try fixture.published() {
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing(#""emoji":["👕"]"#, with: #""emoji":["👕","evil words","👕"]"#)
            try other.folder.write(name == OutboxFile.index ? Array(text.utf8) : bytes, to: "outbox/\(name)")
        }
        #expect(try await other.outbox.takeOver() == 6)
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
        let other = PipelineFixture()
        for (file, bytes) in try fixture.published() { try other.folder.write(bytes, to: "outbox/\(file)") }
        #expect(try await other.outbox.takeOver() == 1)
        try other.write(try PipelineFixture.photo(), to: name)
        try await other.arrive(name)
        try await other.processing(keepStem: false) { try await other.drain($0) }
        try await PackFixture(other).writing(gallery: .init(maxArchiveBytes: 0))
        #expect(try await other.count(.done) == 1)
        #expect(try await other.library.stickerRecords(ofPack: "").map(\.stem) == [nil])
        for file in [OutboxFile.index, "index.html"] {
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
        for (file, _) in names { try fixture.folder.write([1, 2, 3], to: "outbox/\(file)") }
        try fixture.writeIndex(
            names.enumerated().map { number, sticker in
                let id = "\"sha256:\(photo)\(number > 0 ? "#\(number + 1)" : "")\""
                return PipelineFixture.listed(
                    1,
                    [
                        "id": id, "file": "\"\(sticker.0)\"", "name": "\"\(sticker.1)\"",
                        "emoji": sticker.1 == "🐱" ? "[\"🐱\"]" : "[]",
                    ])
            })
        #expect(try await fixture.outbox.takeOver() == 5)
        #expect(try await fixture.library.stickerRecords(ofPack: "").map(\.stem) == [nil, nil, nil, nil, "🐱"])
    }
}
