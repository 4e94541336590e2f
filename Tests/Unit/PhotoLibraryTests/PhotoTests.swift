import PhotoLibrary
import Testing

@Suite("Photos and their stickers")
struct PhotoTests {
    @Test("The same photo under another name is a duplicate of the first")
    func duplicate() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        let second = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(second, photo: "p") else {
            Issue.record("not recognised")
            return
        }
        let end = try await fixture.library.finish(second, as: .settled())
        #expect(end?.state == .duplicate && end?.reason == "duplicate of a")
    }

    @Test("The same photo in another pack is a copy; a touched file is already done")
    func copyAndTouch() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "Cats/a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        let other = try #require(try await fixture.claimOne())
        guard case .copy(let stickers) = try await fixture.library.resolve(other, photo: "p") else {
            Issue.record("not copied")
            return
        }
        #expect(stickers.map(\.file) == ["p.png"])
        try await fixture.arrive("a", version: 2)
        let touched = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(touched, photo: "p") else {
            Issue.record("not recognised")
            return
        }
    }

    @Test("A duplicate of a photo without a subject has no subject, if the recipe is the same")
    func noSubject() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        try await fixture.library.remember(recipe: "r", content: "{}")
        let first = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(first, photo: "p")
        try await fixture.library.finish(first, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        let second = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(second, photo: "p") else {
            Issue.record("not recognised")
            return
        }
        let end = try await fixture.library.finish(second, as: .settled())
        #expect(end?.reason == "\(Ending.noSubjectReason); duplicate of a")
        #expect(try await fixture.library.status().photos[.noSubject] == 2)
        #expect(try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).isEmpty)
    }

    @Test("A photo that fails in one pack keeps the sticker that the same recipe made of it in another")
    func failedCopy() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("A/a", "B/a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        let copy = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(copy, photo: "p")
        try await fixture.library.finish(copy, as: .failed(reason: "broken"))
        #expect(try await fixture.library.status().photos.filter { $0.value > 0 } == [.done: 1, .failed: 1])
        #expect(try await fixture.library.stickers(ofPack: "A", after: .start, limit: 9).map(\.sticker.photo) == ["p"])
    }

    @Test("A sticker missing from the outbox is remade, under its old name and in its old place")
    func remake() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        #expect(try await Set(fixture.library.publishedFiles(ofPack: "").keys) == ["p.png", "q.png"])
        #expect(try await fixture.library.remake(["p.png"], inPack: "") == 1)
        #expect(
            try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).map(\.sticker.photo) == ["q"])
        let claim = try #require(try await fixture.claimOne())
        guard case .work = try await fixture.library.resolve(claim, photo: "p") else {
            Issue.record("not remade")
            return
        }
        try await fixture.makeSticker(claim, photo: "p")
        let order = try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).map(\.sticker.photo)
        #expect(order == ["p", "q"])
    }

    @Test("Packs keep their folders, and no two share one")
    func folders() async throws {
        let library = try LibraryFixture().library
        #expect(try await library.folder(ofPack: "A b", candidates: ["A-b", "A-b-2"]) == "A-b")
        #expect(try await library.folder(ofPack: "A-b", candidates: ["A-b", "A-b-2"]) == "A-b-2")
        #expect(try await library.folder(ofPack: "A b", candidates: ["other"]) == "A-b")
        #expect(try await library.folder(ofPack: "C", candidates: ["A-b"]) == nil)
    }
}
