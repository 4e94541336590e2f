import PackLedger
import TestSupport
import Testing

@testable import Exports

@Suite("Stickers left out of exports", .timeLimit(.minutes(1)))
struct LeftOutTests {
    private let fixture = ExportFixture()
    private let log = RecordedLog()
    private let exports = [FakeExport(), FakeExport(name: "other")]

    @Test("Page and outcome say how many stickers are left out, and why the first is")
    func count() async throws {
        for name in ["s1.png", "s2.png"] { fixture.maker.refuse("contents of \(name)") }
        let outcome = try await fixture.update(exports, log: log, isFirst: false)
        let note = "2 stickers are left out. The first is s1.png: it is empty."
        #expect(outcome.withheld.map(\.export) == ["fake", "other"])
        #expect(outcome.withheld.allSatisfy { $0.leftOut == 2 && $0.reason == note })
        #expect(fixture.contents("pack/exports/exports.js")?.contains(note) == true)
    }

    @Test("They are logged when they change, not in each pass")
    func logged() async throws {
        fixture.maker.refuse("contents of s1.png")
        for _ in 1...3 { _ = try await fixture.update(exports, log: log, isFirst: false) }
        #expect(said == ["Left stickers out of exports"])
        try fixture.write(["s0.png", "s2.png"])
        for _ in 1...2 { _ = try await fixture.update(exports, log: log, isFirst: false) }
        #expect(said == ["Left stickers out of exports", "No sticker is left out of exports anymore"])
    }

    @Test("One that is gone is logged when it was tried a few times: it may have been removed since the pack was read")
    func gone() async throws {
        try fixture.folder.remove("pack/s1.png")
        for count in 1...PictureMemory.maxTries {
            _ = try await fixture.update(exports, log: log, isFirst: false)
            #expect(said.isEmpty == (count < PictureMemory.maxTries))
        }
    }

    @Test("An export that is withheld because of them says so")
    func withheld() async throws {
        let fixture = ExportFixture(stickers: 1)
        fixture.maker.refuse("contents of s0.png")
        let outcome = try await fixture.update(exports, isFirst: false)
        #expect(outcome.withheld.first?.reason == "There is no sticker. 1 sticker is left out, s0.png: it is empty.")
    }

    private var said: [String] {
        log.said.filter { $0.contains("out of exports") }.map { String($0.prefix { $0 != "[" }.dropLast()) }
    }
}
