import Foundation
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("The scripts of a large pack's gallery", .timeLimit(.minutes(1)))
struct PageScriptsTests {
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

    private func write(
        gallery: PackSettings.Gallery? = .init(maxArchiveBytes: 0), _ body: (PackWriter) async throws -> Void = { _ in }
    ) async throws {
        try await packs.writing(gallery: gallery, pageSizes: sizes, body)
    }

    /// The files of the pages, by name, with their bytes.
    private func files() throws -> [String: [UInt8]] {
        try fixture.published("pack").filter { !$0.key.hasPrefix("gallery-") }
    }

    private func scripts() throws -> [String: [UInt8]] { try files().filter { $0.key.hasSuffix(".js") } }

    /// The data block of the gallery's page.
    private struct Block: Decodable {
        struct Sticker: Decodable { let name: String }
        let stickers: [Sticker]
        let withoutCount: Int?
        let pages: [[Part]]?

        enum Part: Decodable, Equatable {
            case name(String)
            case count(Int)

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                self =
                    if let count = try? value.decode(Int.self) { .count(count) } else {
                        .name(try value.decode(String.self))
                    }
            }
        }

        var list: [String: Int] {
            (pages ?? []).reduce(into: [:]) { list, page in
                if case .name(let name) = page.first, case .count(let count) = page.last { list[name + ".js"] = count }
            }
        }
    }

    private func block() throws -> Block {
        let page = String(decoding: try #require(try fixture.published()["index.html"]), as: UTF8.self)
        let json = try #require(
            page.components(separatedBy: "id=\"contents\">").dropFirst().first?.components(separatedBy: "</script>")
                .first)
        return try JSONDecoder().decode(Block.self, from: Data(json.utf8))
    }

    private struct Entry: Decodable { let name: String }

    /// The names of a script's stickers.
    private func names(_ script: [UInt8], page: String) throws -> [String] {
        let text = String(decoding: script, as: UTF8.self)
        let opening = "stickerd.page(\"\(page.dropLast(3))\","
        #expect(text.hasPrefix(opening) && text.hasSuffix(");\n"))
        let json = text.dropFirst(opening.count).dropLast(3)
        return try JSONDecoder().decode([Entry].self, from: Data(json.utf8)).map(\.name)
    }

    @Test("A small pack has none; in a larger one each page has one with its stickers, and the gallery lists them")
    func growth() async throws {
        try await make(1...6)
        try await write()
        #expect(try block().pages == nil && block().stickers.count == 6)
        #expect(try files().isEmpty)
        try await make(7...10)
        try await write()
        let scripts = try scripts()
        #expect(scripts.keys.sorted() == ["0001-2.js", "0002-2.js", "0003-1.js"])
        #expect(try names(#require(scripts["0002-2.js"]), page: "0002-2.js") == ["5", "6", "7", "8"])
        #expect(try block().list == ["0001-2.js": 4, "0002-2.js": 4, "0003-1.js": 2])
        #expect(try block().withoutCount == 0)
        fixture.library.adopt(.withdraw)
        try await fixture.library.forget((1...7).map { PipelineFixture.path("\($0).png") })
        try await write()
        #expect(try block().pages == nil && block().stickers.count == 3 && files().isEmpty)
    }

    @Test("The gallery's page has the stickers of the first pages itself, and not those of the others")
    func first() async throws {
        try await make(1...80)
        try await write()
        #expect(try block().stickers.map(\.name) == (1...60).map { "\($0)" })
        #expect(try block().list.count == 20)
    }

    @Test("One more sticker writes one script, and its former one is removed")
    func oneMore() async throws {
        try await make(1...10)
        try await write()
        let before = try scripts()
        try await make(11...11)
        try await write()
        let after = try scripts()
        #expect(Set(after.keys).subtracting(before.keys) == ["0003-2.js"])
        #expect(Set(before.keys).subtracting(after.keys) == ["0003-1.js"])
        #expect(try Set(block().list.keys) == Set(after.keys))
    }

    @Test("If the gallery's page cannot be written, all scripts that the last one lists stay as they are")
    func order() async throws {
        try await make(1...10)
        try await write()
        let (page, before) = (try #require(try fixture.published()["index.html"]), try files())
        let path = fixture.folder["outbox/index.html"].string
        // As after a crash between pack.json and the page: a folder stands in its place.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await make(11...11)
        try await write()
        let between = try files()
        #expect(between.count > before.count)
        for (name, bytes) in before { #expect(between[name] == bytes) }

        try FileManager.default.removeItem(atPath: path)
        try fixture.folder.write(page, to: "outbox/index.html")
        try await write()
        #expect(try files().count == 6)
        #expect(try Set(block().list.keys) == Set(scripts().keys))
    }

    @Test("Switching the gallery on writes all scripts, and switching it off removes them")
    func switching() async throws {
        try await make(1...10)
        try await write(gallery: nil)
        #expect(try files().count == 3 && scripts().isEmpty)
        try await write()
        #expect(try files().count == 6 && scripts().count == 3)
        let known = try scripts()
        try await write()
        #expect(try scripts() == known)
        try await write(gallery: nil)
        #expect(try files().count == 3 && scripts().isEmpty)
    }

    @Test("A restart writes missing and changed scripts again, with the same bytes; a reload removes unknown ones")
    func restart() async throws {
        try await make(1...10)
        try await write()
        let before = try files()
        let names = try scripts().keys.sorted()
        try FileManager.default.removeItem(atPath: fixture.folder["outbox/pack/\(names[0])"].string)
        try fixture.folder.write([1], to: "outbox/pack/\(names[1])")
        try await write()
        #expect(try files() == before)
        try fixture.folder.write([1], to: "outbox/pack/0009-1.js")
        try await write { writer in writer.recheck() }
        #expect(try files() == before)
    }

    @Test("Many photos without stickers are counted, and some of them are listed")
    func without() async throws {
        try await make(1...7)
        for number in 1...60 { try await fixture.arrive("late\(number).png") }
        try await write()
        let page = String(decoding: try #require(try fixture.published()["index.html"]), as: UTF8.self)
        #expect(page.components(separatedBy: "{\"name\":\"late").count == 51)
        #expect(page.contains("\"pending\":60,"))
    }
}
