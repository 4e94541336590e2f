import FoundationEssentials
import PackFacts
import PackLedger
import Packs
import PhotoLibrary
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("The pages of a large pack", .timeLimit(.minutes(1)))
struct IndexPagesTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }
    private let sizes = PageSizes(maxUndivided: 6, maxStickers: 4)
    private let gallery = PackSettings.Gallery(maxArchiveBytes: 0)

    init() { fixture.library.adopt(.withdraw) }

    private func write(
        _ gallery: PackSettings.Gallery?, _ body: (PackWriter) async throws -> Void = { _ in }
    ) async throws {
        try await packs.writing(gallery: gallery, pageSizes: sizes, body)
    }

    private func remove(_ numbers: ClosedRange<Int>) async throws {
        try await fixture.library.forget(numbers.map { PipelineFixture.path("\($0).png") })
    }

    /// The names of the files of the pages.
    private func pages() -> Set<String> { packs.names("pack").filter { !$0.hasPrefix("gallery-") } }

    /// Checks that the index, its pages and, if it has them, their scripts and the gallery's page have these stickers.
    private func expect(_ numbers: [Int], isDivided: Bool, hasScripts: Bool = true) throws {
        let stored = try StoredIndex(in: fixture.folder["outbox"])
        #expect(stored.unreadable.isEmpty && stored.index.stickerCount == numbers.count)
        #expect(stored.stickers.compactMap { $0.file.split(separator: "-").first.flatMap { Int($0) } } == numbers)
        let stems = stored.index.pages?.map { ($0.file.dropFirst(5).dropLast(5), $0.count) } ?? []
        // The first one covers everything before the second.
        #expect(stems.isEmpty == !isDivided && stems.dropFirst().allSatisfy { $1 > 0 })
        #expect(pages() == Set(stems.flatMap { stem, _ in ["\(stem).json"] + (hasScripts ? ["\(stem).js"] : []) }))
        guard hasScripts else { return }
        var scripted: [Int] = []
        for (stem, _) in stems {
            let script = try #require(fixture.folder.text(of: "outbox/pack/\(stem).js"))
            #expect(script.hasPrefix("stickerd.page(\"\(stem)\",") && script.hasSuffix(");\n"))
            scripted += script.matches(of: #/"name":"(\d+)"/#).compactMap { Int($0.1) }
        }
        #expect(scripted == (isDivided ? numbers : []))
        let list = stems.map { "[\"\($0)\",\($1)]" }.joined(separator: ",")
        #expect(packs.page.contains("\"pages\":[\(list)]") == isDivided, "\(packs.page)")
    }

    private func change(_ step: Int) async throws {
        switch step {
        case 1: try await packs.make(1...10)
        case 2: try await packs.make(11...15)
        case 3: try await remove(5...8)
        case 4: try await remove(1...4)
        case 5: try await remove(5...13)
        default: try await packs.make(16...25)
        }
    }

    /// The stickers after each step.
    private static let steps = [
        Array(1...10), Array(1...15), Array(1...4) + Array(9...15), Array(9...15), [14, 15], Array(14...25),
    ]

    @Test(
        "After additions, removals and both divisions, all files have the same stickers, and a new writer changes none",
        arguments: 1...6)
    func growth(steps: Int) async throws {
        try await write(gallery) { writer in
            for step in 1...steps {
                try await change(step)
                let before = packs.writes
                writer.wake()
                let count = Self.steps[step - 1].count
                #expect(
                    try await fixture.eventually { try packs.writes > before && packs.index()?.stickerCount == count })
            }
        }
        try expect(Self.steps[steps - 1], isDivided: steps != 5)
        let before = try packs.files()
        try await write(gallery)
        #expect(try packs.files() == before)
    }

    @Test("The gallery's page has the stickers of the first pages itself, and some of many photos without")
    func first() async throws {
        try await packs.make(1...80)
        for number in 1...60 { try await fixture.arrive("late\(number).png") }
        try await write(gallery)
        #expect(packs.page.components(separatedBy: "\"added\"").count == 61)
        #expect(packs.page.components(separatedBy: "{\"name\":\"late").count == 51)
        #expect(packs.page.contains("\"pending\":60,"))
    }

    @Test(
        "If the index or the gallery's page cannot be written, all files that the last ones list stay as they are",
        arguments: ["pack.json", "index.html"])
    func order(_ name: String) async throws {
        func stickers() -> Int { packs.names().count { $0.hasSuffix(".png") } }
        try await packs.make(1...10)
        try await write(gallery)
        let before = try packs.files()
        // As after a crash between two files: a folder stands in the place of one.
        try fixture.folder.remove("outbox/\(name)")
        try fixture.folder.makeFolder("outbox/\(name)")
        try await packs.make(11...12)
        try await remove(2...2)
        try await write(gallery)
        let complaints = fixture.log.said.filter { $0.contains("Cannot write a pack's index") }
        #expect(complaints.first?.contains("outbox/\(name): this folder has a file's name") == true)
        let between = try packs.files()
        for (file, found) in before where file.hasPrefix("pack/") { #expect(between[file] == found) }
        #expect(pages().count > 6 && stickers() == 12, "the sticker is still listed")

        try fixture.folder.remove("outbox/\(name)")
        try fixture.folder.write(try #require(before[name]).bytes, to: "outbox/\(name)")
        try await write(gallery)
        try expect([1] + Array(3...12), isDivided: true)
        #expect(stickers() == 11)
    }

    @Test("A reload removes files of unknown pages, and their numbers are not used; others in the folder stay")
    func unknown() async throws {
        try await packs.make(1...10)
        try await write(gallery)
        for name in ["0003-900.json", "0009-1.js", "notes.json"] {
            try fixture.folder.write([1], to: "outbox/pack/\(name)")
        }
        try await write(gallery) { writer in writer.recheck() }
        #expect(pages().filter { !$0.contains("-") } == ["notes.json"] && pages().count == 7)
        try await packs.make(11...13)
        try await write(gallery)
        #expect(try StoredIndex(in: fixture.folder["outbox"]).index.pages?.last?.file == "pack/0010-1.json")
    }

    @Test("Switching the gallery on writes all scripts, and switching it off removes them")
    func switching() async throws {
        try await packs.make(1...10)
        for gallery in [nil, gallery, nil] {
            try await write(gallery)
            try expect(Array(1...10), isDivided: true, hasScripts: gallery != nil)
        }
    }

    @Test("The files have this form")
    func golden() async throws {
        try await packs.make(1...6)
        try await write(nil)
        try await packs.make(7...7)
        try await write(nil)
        try await expect("pack.json", Self.divided)
        try await expect("pack/0002-1.json", Self.lastPage)
    }

    private func expect(_ name: String, _ golden: String) async throws {
        let text = try #require(fixture.folder.text(of: "outbox/\(name)"))
            .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "TIME").replacing(#/[0-9a-f]{64}/#, with: "SHA")
            .replacing(#/-[0-9a-f]{8}\.png/#, with: "-X.png")
        #expect(text == golden)
    }

    private static func sticker(_ number: Int) -> String {
        """
        {"id":"sha256:SHA","name":"\(number)","text":"","emoji":[],"file":"\(number)-X.png","width":9,"height":7,"bytes":64,"addedAt":"TIME","confidence":0.75,"foundBy":"background",\
        "colors":[{"hex":"#ff0000","weight":1,"name":"bright red"}],"subjectColors":[],\
        "gradient":["#ff9485","#ff7563","#ff4c3c","#f90000"]}
        """
    }

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
