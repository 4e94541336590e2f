import Foundation
import LinuxIO
import PackFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("The pages of a large pack's index", .timeLimit(.minutes(1)))
struct IndexPagesTests {
    private let fixture: PipelineFixture
    private let packs: PackFixture
    private let sizes = PageSizes(maxUndivided: 6, maxStickers: 4)

    init() throws {
        fixture = try PipelineFixture()
        packs = PackFixture(fixture)
    }

    private func make(_ numbers: ClosedRange<Int>) async throws {
        for number in numbers { try await fixture.arrive("\(number).png") }
        try await packs.finishAll(numbers.map { "\($0).png" })
    }

    private func write(_ body: (PackWriter) async throws -> Void = { _ in }) async throws {
        try await packs.writing(pageSizes: sizes, body)
    }

    private func stored() throws -> StoredIndex { try StoredIndex(in: fixture.folder["outbox"]) }

    /// The files of the pages, by name, with their bytes.
    private func pages() throws -> [String: [UInt8]] { try fixture.published("pack") }

    /// The numbers in the names of the photos.
    private func numbers(_ stickers: [PackEntry]) -> [Int] {
        stickers.compactMap { $0.file.split(separator: "-").first.flatMap { Int($0) } }
    }

    @Test("pack.json has all stickers of a small pack, and lists the pages of a larger one")
    func growth() async throws {
        try await make(1...6)
        try await write()
        #expect(try numbers(stored().index.stickers) == Array(1...6))
        #expect(try stored().index.pages == nil)
        try await make(7...10)
        try await write()
        let index = try stored()
        #expect(index.index.stickers.isEmpty && index.index.stickerCount == 10)
        #expect(index.index.pages?.map(\.count) == [4, 4, 2])
        #expect(index.unreadable.isEmpty)
        #expect(numbers(index.stickers) == Array(1...10))
        #expect(try Set(pages().keys.map { "pack/\($0)" }) == Set(index.index.pages?.map(\.file) ?? []))
        fixture.library.adopt(.withdraw)
        try await fixture.library.forget((1...7).map { PipelineFixture.path("\($0).png") })
        try await write()
        #expect(try numbers(stored().index.stickers) == Array(8...10))
        #expect(try pages().isEmpty)
    }

    @Test("One more sticker rewrites the last page alone, and its former file is removed")
    func oneMore() async throws {
        try await make(1...10)
        try await write()
        let before = try pages()
        try await make(11...11)
        try await write()
        let after = try pages()
        #expect(after.count == 3)
        #expect(Set(before.keys).subtracting(after.keys).count == 1)
        for (name, bytes) in before where after[name] != nil { #expect(after[name] == bytes) }
        #expect(try numbers(stored().stickers) == Array(1...11))
    }

    @Test("If pack.json cannot be written, all pages that the last one lists stay as they are")
    func order() async throws {
        try await make(1...10)
        try await write()
        let (index, before) = (try fixture.published()["pack.json"], try pages())
        let path = fixture.folder["outbox/pack.json"].string
        // As after a crash between the pages and pack.json: a folder stands in its place.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await make(11...12)
        fixture.library.adopt(.withdraw)
        try await fixture.library.forget([PipelineFixture.path("2.png")])
        try await write()
        #expect(fixture.log.said.contains { $0.contains("Cannot write a pack's index") })
        let between = try pages()
        #expect(between.count > before.count)
        for (name, bytes) in before { #expect(between[name] == bytes) }
        let stickers = try fixture.published().keys.filter { $0.hasSuffix(".png") }
        #expect(stickers.count == 12, "the sticker is still listed")

        try FileManager.default.removeItem(atPath: path)
        try fixture.folder.write(try #require(index), to: "outbox/pack.json")
        #expect(try numbers(stored().stickers) == Array(1...10))
        try await write()
        #expect(try numbers(stored().stickers) == [1] + Array(3...12))
        #expect(try pages().count == stored().index.pages?.count)
        #expect(try fixture.published().keys.filter { $0.hasSuffix(".png") }.count == 11)
    }

    @Test("A restart writes missing and changed pages again, with the same bytes, and no others")
    func restart() async throws {
        try await make(1...18)
        try await write()
        let before = try pages()
        let inodes = try inodes()
        try await write()
        #expect(try self.inodes() == inodes)

        let names = before.keys.sorted()
        try FileManager.default.removeItem(atPath: fixture.folder["outbox/pack/\(names[0])"].string)
        try fixture.folder.write([1], to: "outbox/pack/\(names[1])")
        try await write()
        #expect(try pages() == before)
        let after = try self.inodes()
        #expect(names.dropFirst(2).allSatisfy { after[$0] == inodes[$0] })
        #expect(after["pack.json"] == inodes["pack.json"])
    }

    @Test("A reload finds a page that was changed without a trace, too")
    func reload() async throws {
        try await make(1...18)
        try await write()
        let before = try pages()
        let name = try #require(before.keys.min())
        var bytes = try #require(before[name])
        bytes[9] ^= 1
        try fixture.folder.rewrite(bytes, to: "outbox/pack/\(name)")
        try await write { writer in writer.recheck() }
        #expect(try pages() == before)
    }

    @Test("A reload removes files of unknown pages, and their numbers are not used; others in the folder stay")
    func unknown() async throws {
        try await make(1...10)
        try await write()
        for name in ["0003-900.json", "0009-1.json", "notes.json"] {
            try fixture.folder.write([1], to: "outbox/pack/\(name)")
        }
        try await write { writer in writer.recheck() }
        #expect(try pages().keys.filter { !$0.contains("-") } == ["notes.json"])
        #expect(try pages().count == 4)
        try await make(11...13)
        try await write()
        #expect(try stored().index.pages?.map(\.file).last == "pack/0010-1.json")
    }

    @Test("Another number of colors rewrites all pages")
    func settings() async throws {
        try await make(1...10)
        try await write()
        let before = try pages()
        try await packs.writing(colorCount: 7, pageSizes: sizes)
        #expect(try Set(before.keys).isDisjoint(with: pages().keys))
        #expect(try stored().index.pages?.map(\.count) == [4, 4, 2])
    }

    @Test("The index of an earlier release is replaced at the next start")
    func upgrade() async throws {
        try await make(1...10)
        try await write()
        let stickers = try stored().stickers.map { sticker in
            """
            {"id":"\(sticker.id)","file":"\(sticker.file)","width":9,"height":7,"bytes":64,"addedAt":"2026-01-01T00:00:00.000Z",
            "confidence":0.75,"colors":[],"subjectColors":[],"gradient":[]}
            """
        }
        for name in try pages().keys {
            try FileManager.default.removeItem(atPath: fixture.folder["outbox/pack/\(name)"].string)
        }
        let old = """
            {"schemaVersion":1,"revision":41,"updated":"2026-01-01T00:00:00.000Z",
            "pack":{"identifier":"stickers","name":"Stickers","publisher":"me"},"pending":[],"failed":[],"stickers":[
            \(stickers.joined(separator: ",\n"))]}
            """
        try fixture.folder.write(Array(old.utf8), to: "outbox/pack.json")
        #expect(try numbers(stored().stickers) == Array(1...10))
        try await write()
        let index = try stored()
        #expect(index.index.revision == 42)
        #expect(index.index.pages?.count == 3 && numbers(index.stickers) == Array(1...10))
    }

    @Test("The files have this form, and match the schema")
    func golden() async throws {
        try await make(1...6)
        try await write()
        try await expect(fixture.published()["pack.json"], Self.undivided)
        try await make(7...7)
        try await write()
        try await expect(fixture.published()["pack.json"], Self.divided)
        try await expect(pages().min { $0.key < $1.key }?.value, nil)
        try await expect(pages().max { $0.key < $1.key }?.value, Self.lastPage)
    }

    private func expect(_ bytes: [UInt8]?, _ golden: String?) async throws {
        let bytes = try #require(bytes)
        let schema = try JSONSchemaCheck(Data(contentsOf: Repository.root.appending(path: "pack.schema.json")))
        #expect(try schema.problems(in: Data(bytes)) == [])
        guard let golden else { return }
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "TIME").replacing(#/[0-9a-f]{64}/#, with: "SHA")
            .replacing(#/-[0-9a-f]{8}\.png/#, with: "-X.png")
        #expect(text == golden)
    }

    @Test("The schema finds errors")
    func schema() throws {
        let schema = try JSONSchemaCheck(Data(contentsOf: Repository.root.appending(path: "pack.schema.json")))
        for text in [
            "{}", #"{"schemaVersion":3,"revision":1}"#, #"{"schemaVersion":1,"revision":1,"stickers":[]}"#,
            #"{"schemaVersion":3,"revision":0,"stickers":[]}"#, #"{"schemaVersion":3,"revision":1,"stickers":[1]}"#,
            #"{"schemaVersion":3,"revision":1,"stickers":[],"more":1}"#,
        ] {
            #expect(try !schema.problems(in: Data(text.utf8)).isEmpty, "\(text)")
        }
        #expect(try schema.problems(in: Data(#"{"schemaVersion":3,"revision":1,"stickers":[]}"#.utf8)) == [])
    }

    /// The inode of each file of the index, which changes when the file is rewritten.
    private func inodes() throws -> [String: UInt64] {
        let names = try pages().keys.map { ($0, "pack/\($0)") } + [("pack.json", "pack.json")]
        return try Dictionary(
            uniqueKeysWithValues: names.map { name, path in
                (name, try FileStatus(of: fixture.folder["outbox"].appending(path)).identity.inode)
            })
    }

    private static let color = """
        {"hex":"#ff0000","weight":1,"name":"bright red"}
        """

    private static func sticker(_ number: Int) -> String {
        """
        {"id":"sha256:SHA","name":"\(number)","text":"","emoji":[],"file":"\(number)-X.png","width":9,"height":7,"bytes":64,"addedAt":"TIME","confidence":0.75,\
        "colors":[\(color)],"subjectColors":[],"gradient":["#ff9485","#ff7563","#ff4c3c","#f90000"]}
        """
    }

    private static let undivided = """
        {"schemaVersion":3,"revision":1,"updated":"TIME",
        "pack":{"identifier":"stickers","name":"Stickers","publisher":"me","emoji":[]},"pending":[],"failed":[],"stickers":[
        \((1...6).map(sticker).joined(separator: ",\n"))],"stickerCount":6}

        """
    private static let divided = """
        {"schemaVersion":3,"revision":2,"updated":"TIME",
        "pack":{"identifier":"stickers","name":"Stickers","publisher":"me","emoji":[]},"pending":[],"failed":[],"pages":[
        {"file":"pack/0001-2.json","count":4,"revision":2},
        {"file":"pack/0002-1.json","count":3,"revision":1}],"stickerCount":7}

        """
    private static let lastPage = """
        {"schemaVersion":3,"revision":1,"stickers":[
        \((5...7).map(sticker).joined(separator: ",\n"))]}

        """
}
