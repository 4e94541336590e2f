import FileNames
import LibraryCommands
import PackLedger
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

@Suite("Remaking stickers")
struct RemakeTests {
    private let fixture = LibraryFixture()

    @Test("A photo to be remade counts once, and not as done")
    func counted() async throws {
        try await fixture.make(["a": "p", "b": "q", "copy": "q"])
        try await fixture.arrive("c")
        func counts() async throws -> [Int] {
            let summary = try await fixture.library.summary(ofPack: "", listed: 9)
            #expect(summary.pending.allSatisfy { $0.reason == nil })
            return [summary.pendingCount, summary.madeCount, summary.stickerCount]
        }
        _ = try await fixture.library.remake(["p.png"], inPack: "")
        #expect(try await counts() == [2, 1, 1])
        try fixture.remake()
        #expect(try await counts() == [3, 0, 1])
    }

    @Test("If a remake finds no subject, the sticker is withdrawn, until an index without it is recorded")
    func withdrawn() async throws {
        try await fixture.make(["a": "p"])
        try fixture.remake()
        try await fixture.library.finish(fixture.next(), as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await fixture.stickers().isEmpty)
        #expect(try await fixture.withdrawn() == ["p.png"])
        try await fixture.library.record(index: 1, removed: ["p.png"], ofPack: "")
        #expect(try await fixture.withdrawn().isEmpty)
        #expect(try await fixture.library.status().stickers == 0)
    }

    @Test("A remake in another format gets a new file name, and the old file is withdrawn")
    func otherFormat() async throws {
        try await fixture.make(["a": "p"])
        try fixture.remake()
        let again = try await fixture.next()
        let reserved = try await fixture.library.reserveName(
            forPhoto: "p", recipe: "r", candidates: ["p.webp"], thumbnail: { _ in nil }, claim: again)
        let name = try #require(reserved)
        #expect(name == "p.webp")
        let sticker = fixture.record(photo: "p").copied(toPack: "", as: name, thumbnail: nil)
        try await fixture.library.finish(again, as: .made([sticker], result: fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await fixture.library.stickerRecords(ofPack: "").map(\.file) == ["p.webp"])
        #expect(try await fixture.withdrawn() == ["p.png"])
    }

    @Test("A photo whose remake failed, so that it keeps its former sticker, is remade at the next request")
    func failed() async throws {
        try await fixture.make(["a": "p"])
        try await fixture.library.remember(recipe: "new", content: "{}")
        #expect(try fixture.remake(otherThan: "new") == 1)
        try await fixture.library.finish(fixture.next(), as: .failed(reason: "broken", recipe: "new"))
        #expect(try await fixture.count(.failed) == 1)
        #expect(try fixture.remake(otherThan: "new") == 1)
        #expect(try await fixture.claimOne() != nil)
    }

    @Test("A photo that fails in one pack keeps the sticker that the same recipe made of it in another")
    func failedCopy() async throws {
        try await fixture.make(["A/a": "p"])
        try await fixture.end("B/a", photo: "p", as: .failed)
        #expect(try await fixture.library.status().photos.filter { $0.value > 0 } == [.done: 1, .failed: 1])
        #expect(try await fixture.stickers("A") == ["p"])
    }

    @Test(
        "A file that cannot be read is listed without the colors of the photo that it held", arguments: [true, false])
    func colorsOfUnreadable(isTouched: Bool) async throws {
        try await fixture.end("a", photo: "p")
        let before = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect(before.withoutSubject.map(\.colors) == [LibraryFixture.colors])
        if isTouched {
            try await fixture.arrive("a", version: 2)
        } else {
            _ = try Library.requestRetry(in: fixture.folder.path, of: ["a"])
        }
        try await fixture.library.finish(fixture.next(), as: .unreadable(reason: "permission denied"))
        let failed = try await fixture.library.summary(ofPack: "", listed: 9).failed
        #expect(failed.map(\.reason) == ["permission denied"] && failed.map(\.colors) == [nil])
    }
}
