import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Similar folder and file names", .timeLimit(.minutes(2)))
struct NameTests {
    private let place: Workplace

    /// Names that Unicode, a case-insensitive file system or Windows treats as equal, and the longest name.
    private static let folders = [
        "Caf\u{e9}", "Cafe\u{301}", "cat", "Cat", "cat.", "cat ", "cat-1a2b3c4d.png", "\u{1f408}",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{212b}", "\u{c5}", "A\u{30a}",
        String(repeating: "\u{5bb6}", count: 85),
    ]

    init() throws {
        place = try Workplace()
        for (index, name) in Self.folders.enumerated() {
            // Each pack has its own photo, so that a sticker in the wrong folder is detected.
            try place.folder.write(try Workplace.photo(red: UInt8(100 + 10 * index)), to: "inbox/\(name)/a.png")
        }
    }

    private func verify() async throws -> (status: Int32, said: String) {
        let verify = try await place.command("verify")
        return (try await verify.end(), verify.printed + verify.errors)
    }

    /// Each pack's folder and stickers, by the bytes of the pack's name.
    private func packs() throws -> [[UInt8]: (folder: String, stickers: [PackIndex.Sticker])] {
        var packs: [[UInt8]: (folder: String, stickers: [PackIndex.Sticker])] = [:]
        for folder in try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox"].string) {
            let path = place.folder["outbox"].appending(folder).appending(PackIndex.fileName)
            guard let data = FileManager.default.contents(atPath: path.string) else { continue }
            let index = try JSONDecoder().decode(PackIndex.self, from: data)
            packs[Array(index.pack.name.utf8)] = (folder, index.stickers)
        }
        return packs
    }

    private func requireOneStickerEach() throws {
        let packs = try packs()
        #expect(packs.count == Self.folders.count)
        for name in Self.folders { #expect(packs[Array(name.utf8)]?.stickers.count == 1, "\(name.utf8.map { $0 })") }
        let photos = Set(packs.values.flatMap { $0.stickers.map(\.id) })
        #expect(photos.count == Self.folders.count)
        // Compared like a case-insensitive file system that normalizes.
        let folders = packs.values.map { $0.folder.lowercased() }
        #expect(Set(folders).count == Self.folders.count)
    }

    @Test("Each folder is its own pack, at every start, for verify and in the gallery")
    func starts() async throws {
        let first = try await place.start()
        #expect(try await eventually { place.count(.done) == Self.folders.count })
        #expect(try await first.stop() == 0)
        try requireOneStickerEach()

        let second = try await place.startAndRead()
        #expect(try await second.stop() == 0)
        #expect(!second.errors.contains("Made a sticker"))
        try requireOneStickerEach()
        let (status, said) = try await verify()
        #expect(status == 0, "\(said)")

        // Compared as bytes, not as text.
        let list = try #require(FileManager.default.contents(atPath: place.folder["outbox/packs.js"].string))
        for (_, pack) in try packs() {
            #expect(list.range(of: Data("\"folder\":\"\(pack.folder)\",".utf8)) != nil, "\(pack.folder)")
        }
    }

    @Test("A Library rebuilt from the outbox recognizes each pack")
    func rebuilt() async throws {
        let first = try await place.start()
        #expect(try await eventually { place.count(.done) == Self.folders.count })
        #expect(try await first.stop() == 0)
        let before = try packs().mapValues { $0.stickers.map(\.file) }
        try place.folder.write(Array("This is no database.".utf8), to: "state/library/library.sqlite")
        let second = try await place.start()
        #expect(try await eventually { place.count(.done) == Self.folders.count })
        #expect(try await second.stop() == 0)
        #expect(try packs().mapValues { $0.stickers.map(\.file) } == before)
        #expect(!second.errors.contains("Made a sticker"))
        let (status, said) = try await verify()
        #expect(status == 0, "\(said)")
    }
}
