import Foundation
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Similar folder and file names", .timeLimit(.minutes(2)))
struct NameTests {
    /// Names that Unicode, a case-insensitive file system or Windows treats as equal, and the longest name.
    private static let folders = [
        "Caf\u{e9}", "Cafe\u{301}", "cat", "Cat", "cat.", "cat ", "cat-1a2b3c4d.png", "\u{1f408}",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{212b}", "\u{c5}", "A\u{30a}",
        String(repeating: "\u{5bb6}", count: 85),
    ]

    /// Each pack's folder and stickers, by the bytes of the pack's name.
    private func packs(_ place: Workplace) throws -> [[UInt8]: (folder: String, stickers: [PackEntry])] {
        var packs: [[UInt8]: (folder: String, stickers: [PackEntry])] = [:]
        for folder in try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox"].string) {
            guard let index = try? place.index(folder) else { continue }
            packs[Array(index.name.utf8)] = (folder, index.stickers)
        }
        return packs
    }

    private func requireOneStickerEach(_ place: Workplace) async throws {
        let packs = try packs(place)
        #expect(packs.count == Self.folders.count)
        for name in Self.folders { #expect(packs[Array(name.utf8)]?.stickers.count == 1, "\(name.utf8.map { $0 })") }
        let photos = Set(packs.values.flatMap { $0.stickers.map(\.id) })
        #expect(photos.count == Self.folders.count)
        // Compared like a case-insensitive file system that normalizes.
        let folders = packs.values.map { $0.folder.lowercased() }
        #expect(Set(folders).count == Self.folders.count)
        try await place.command("verify", exits: 0)
    }

    @Test("Each folder is its own pack, at every start, for verify, in the gallery, and for a Library that is rebuilt")
    func starts() async throws {
        let place = Workplace()
        for (index, name) in Self.folders.enumerated() {
            // Each pack has its own photo, so that a sticker in the wrong folder is detected.
            try place.folder.write(try Workplace.photo(red: UInt8(100 + 10 * index)), to: "inbox/\(name)/a.png")
        }
        let first = try await place.start()
        #expect(try await eventually { place.count(.done) == Self.folders.count })
        #expect(try await first.stop() == 0)
        try await requireOneStickerEach(place)
        let before = try packs(place).mapValues { $0.stickers.map(\.file) }
        // Compared as bytes, not as text.
        let list = try #require(FileManager.default.contents(atPath: place.folder["outbox/packs.js"].string))
        for (_, pack) in try packs(place) {
            #expect(list.range(of: Data("\"folder\":\"\(pack.folder)\",".utf8)) != nil, "\(pack.folder)")
        }
        for isRebuilt in [false, true] {
            if isRebuilt { try place.folder.write("This is no database.", to: place.library) }
            let next = try await place.startAndRead()
            #expect(try await eventually { place.count(.done) == Self.folders.count })
            #expect(try await next.stop() == 0)
            #expect(!next.errors.contains("Made a sticker"))
            try await requireOneStickerEach(place)
            #expect(try packs(place).mapValues { $0.stickers.map(\.file) } == before)
        }
    }
}
