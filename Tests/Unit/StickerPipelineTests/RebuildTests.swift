import Foundation
import OutboxLayout
import Glibc
import PackFacts
import PackLedger
import Packs
import PhotoColors
import PhotoLibrary
import PhotoRule
import Synchronization
import SystemPackage
import Testing
import TestSupport

@Suite("A new Library from the outbox", .timeLimit(.minutes(1)))
struct RebuildTests {
    @Test("Stickers in the outbox are recorded in their order; their photos come in as done, copies as duplicates")
    func rebuild() async throws {
        let folder = TemporaryFolder()
        var outbox: [String: [UInt8]] = [:]
        do {
            let fixture = try PipelineFixture(in: folder)
            try fixture.write(try PipelineFixture.photo(), to: "b.png")
            try fixture.write(try PipelineFixture.photo(red: 150), to: "a.png")
            try fixture.write(try PipelineFixture.photo(), to: "Cats/x.png")
            try await fixture.arrive("b.png", "a.png", "Cats/x.png")
            try await fixture.processing { try await fixture.drain($0) }
            try await PackFixture(fixture).writing()
            outbox = try fixture.published()
            try fixture.library.close()
        }
        try folder.write([UInt8](repeating: 0xA5, count: 100), to: "state/library/library.sqlite")

        let fixture = try PipelineFixture(in: folder)
        #expect(fixture.library.quarantined != nil)
        let read = Atomic(0)
        #expect(try await fixture.outbox.takeOver { read.add(1, ordering: .relaxed) } == 3)
        #expect(read.load(ordering: .relaxed) == 3)
        #expect(try await fixture.outbox.takeOver { read.add(1, ordering: .relaxed) } == 0)
        // As after a crash, when the indexes' numbers are not recorded: recorded stickers are not read again.
        for name in ["pack.json", "Cats/pack.json"] {
            let text = try #require(folder.text(of: "outbox/\(name)"))
            try folder.write(text.replacing(#""revision":"#, with: #""revision":10"#), to: "outbox/\(name)")
        }
        #expect(try await fixture.outbox.takeOver { read.add(1, ordering: .relaxed) } == 3)
        #expect(read.load(ordering: .relaxed) == 3)
        #expect(try await !fixture.library.needsRebuilding())
        try fixture.write(try PipelineFixture.photo(), to: "copy.png")
        try await fixture.arrive("a.png", "b.png", "Cats/x.png", "copy.png")
        try await fixture.processing { try await fixture.drain($0) }
        try await PackFixture(fixture).writing()
        #expect(try await fixture.count(.done) == 3)
        #expect(try await fixture.count(.duplicate) == 1)
        #expect(fixture.log.said.filter { $0.contains("Made a sticker") }.isEmpty)
        let after = try fixture.published()
        #expect(after.filter { $0.key.hasSuffix(".png") } == outbox.filter { $0.key.hasSuffix(".png") })
        let stickers = try await fixture.library.stickerRecords(ofPack: "")
        #expect(stickers.map { $0.file.prefix(1) } == ["b", "a"])
        #expect(stickers.allSatisfy { $0.thumbnail != nil })
        #expect(try Self.colors(in: after) == Self.colors(in: outbox))
    }

    /// The revision of the first sticker.
    private static func colors(in files: [String: [UInt8]]) throws -> [PhotoColorSample?] {
        let index = try JSONDecoder().decode(Pack.self, from: Data(try #require(files[OutboxFile.index])))
        let sticker = try #require(index.stickers.first)
        #expect(sticker.colors != nil)
        return [sticker.colors, sticker.subjectColors]
    }

    @Test("A removed sticker with a name that stickerd cannot have given is not recorded")
    func hostileRemovals() async throws {
        let fixture = PipelineFixture()
        let photo = String(repeating: "1", count: 64)
        let names = [
            "a-11111111.png", "a\u{1b}[2J.png", "../a.png", "/a.png", "a/", "a/b.png", "", "..", "a\u{202e}.png",
            "a\\x1b.png", "a\n.png", "caf\u{e9}-11111111.png",
        ]
        struct Removed: Encodable { let id, file: String }
        let removed = names.enumerated().map { Removed(id: "sha256:\(photo)#\($0 + 2)", file: $1) }
        let list = String(decoding: try JSONEncoder().encode(removed), as: UTF8.self)
        try fixture.writeIndex([], more: ",\"removed\":\(list)")
        #expect(try await fixture.outbox.takeOver() == 0)
        let kept = try await fixture.library.summary(ofPack: "", listed: 0).removed
        #expect(kept.allSatisfy { $0.photo == photo })
        #expect(Set(kept.map(\.ordinal)) == [1, 12])
    }

    @Test("An index of an older release, or with invalid colors, is enough to record its stickers")
    func olderIndex() async throws {
        let fixture = PipelineFixture()
        let colors = [##"[{"hex": "#ff0000", "weight": 1}]"##, #"[{"hex": "red"}]"#, "7"]
        for number in 0..<3 { try fixture.folder.write([1, 2, 3], to: "outbox/\(number).png") }
        try fixture.writeIndex(
            colors.enumerated().map { PipelineFixture.listed($0, ["file": "\"\($0).png\"", "colors": $1]) })
        let stickersRead = try #require(try PackFixture(fixture).index()).stickers
        #expect(stickersRead.map { $0.colors?.description } == ["ff00002710", nil, nil])
        #expect(try await fixture.outbox.takeOver() == 3)
        let found = try await fixture.library.stickers(ofPack: "", limit: 9)
        #expect(found.map { $0.colors?.description } == ["ff00002710", nil, nil])
        #expect(found.allSatisfy { $0.subjectColors == nil })
    }

    @Test("Stickers on pages are recorded in their order, and new pages get other names")
    func pages() async throws {
        let folder = TemporaryFolder()
        let sizes = PageSizes(maxUndivided: 6, maxStickers: 4)
        var before: [String] = []
        do {
            let fixture = try PipelineFixture(in: folder)
            let packs = PackFixture(fixture)
            try await packs.make(1...10)
            try await packs.writing(pageSizes: sizes)
            before = try fixture.published("pack").keys.sorted()
            #expect(before.count == 3)
            try fixture.library.close()
        }
        try folder.write([UInt8](repeating: 0xA5, count: 100), to: "state/library/library.sqlite")
        try folder.write("damaged", to: "outbox/pack/\(before[1])")

        let fixture = try PipelineFixture(in: folder)
        #expect(try await fixture.outbox.takeOver() == 6)
        let stickers = try await fixture.library.stickerRecords(ofPack: "")
        #expect(stickers.map { $0.file.split(separator: "-")[0] } == ["1", "2", "3", "4", "9", "10"])
        try await PackFixture(fixture).writing(pageSizes: PageSizes(maxUndivided: 5, maxStickers: 4))
        let after = try fixture.published("pack").keys.sorted()
        #expect(after.count == 2 && Set(after).isDisjoint(with: before))
        let stored = try StoredIndex(in: folder["outbox"])
        #expect(stored.unreadable.isEmpty && stored.stickers.map(\.file) == stickers.map(\.file))
    }

    @Test("A pipe in the place of an index, a sticker or a thumbnail does not block")
    func pipes() async throws {
        let fixture = PipelineFixture()
        try fixture.folder.makeFolder("outbox/Cats")
        for name in ["Cats/pack.json", "a.png"] { try fixture.folder.makeFIFO("outbox/\(name)") }
        try fixture.writeIndex([PipelineFixture.listed(1, ["file": "\"a.png\"", "bytes": "0"])])
        #expect(try await fixture.outbox.takeOver() == 0)
        #expect(throws: StoredIndex.Failure.self) { try StoredIndex(in: fixture.folder["outbox/Cats"]) }
    }

    @Test(
        "An index can name no other files than pages",
        arguments: [
            "pack.json", "../pack/0001-1.json", "pack/../pack.json", "pack/0001-2.json", "pack/0002-1.json",
            "pack/0003-1.json", "pack/0004-1.json", "/dev/zero", "pack/0001-1.json",
        ])
    func hostilePages(name: String) throws {
        let folder = TemporaryFolder()
        let page = #"{"schemaVersion":2,"revision":1,"stickers":[]}"#
        try folder.write(page, to: "pack/0001-1.json")
        // A pipe, a link, and a page that is too large.
        try folder.makeFIFO("pack/0002-1.json")
        try folder.link("pack/0003-1.json", to: folder["pack/0001-1.json"])
        let large = page.dropLast() + String(repeating: " ", count: 9 << 20) + "}"
        try folder.write(large, to: "pack/0004-1.json")
        let index = """
            {"schemaVersion": 2, "revision": 7, "updated": "", "pack": {"name": "", "identifier": "", "publisher": ""},
            "pending": [], "failed": [], "stickerCount": 0, "pages": [
            {"file": "pack/0001-1.json", "count": 0, "revision": 1}, {"file": "\(name)", "count": 0, "revision": 1}]}
            """
        try folder.write(index, to: "pack.json")
        #expect(try StoredIndex(in: folder.path).unreadable == [name])
    }
}
