import PhotoLibrary
import TestSupport
import Testing

@Suite("Remaking stickers")
struct RemakeTests {
    @Test("Only photos made with another recipe are remade, and their stickers stay meanwhile")
    func changedOnly() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "r").files == 0)
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "new").files == 1)
        #expect(
            try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).map(\.sticker.file) == ["p.png"])
        let again = try #require(try await fixture.claimOne())
        #expect(again.path.description == "a")
        try await fixture.library.remember(recipe: "new", content: "{}")
        guard case .work = try await fixture.library.resolve(again, photo: "p") else {
            Issue.record("not remade")
            return
        }
    }

    @Test("A photo to be remade counts once, and not as done")
    func counted() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b", "copy", "c")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        let copy = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(copy, photo: "q")
        try await fixture.library.finish(copy, as: .settled())
        _ = try await fixture.library.remake(["p.png"], inPack: "")
        let missing = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect([missing.pendingCount, missing.madeCount, missing.stickerCount] == [2, 1, 1])
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        let waiting = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect([waiting.pendingCount, waiting.madeCount, waiting.stickerCount] == [3, 0, 1])
        #expect(waiting.pending.allSatisfy { $0.reason == nil })
    }

    @Test("Only remade stickers are copied to other packs")
    func copies() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "Cats/a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil).files == 2)
        let first = try #require(try await fixture.claimOne())
        guard case .work = try await fixture.library.resolve(first, photo: "p") else {
            Issue.record("old stickers were copied")
            return
        }
        try await fixture.makeSticker(first, photo: "p")
        let second = try #require(try await fixture.claimOne())
        guard case .copy = try await fixture.library.resolve(second, photo: "p") else {
            Issue.record("the new sticker was not copied")
            return
        }
    }

    @Test("If a remake finds no subject, the sticker is withdrawn")
    func withdrawn() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        let again = try #require(try await fixture.claimOne())
        try await fixture.library.finish(again, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).isEmpty)
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
        try await fixture.library.record(index: 1, removed: ["p.png"], ofPack: "")
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
        #expect(try await fixture.library.status().stickers == 0)
    }

    @Test("A remake in another format gets a new file name, and the old file is withdrawn")
    func otherFormat() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        let again = try #require(try await fixture.claimOne())
        let reserved = try await fixture.library.reserveName(
            forPhoto: "p", recipe: "r", candidates: ["p.webp"], thumbnail: { _ in nil }, claim: again)
        let name = try #require(reserved)
        #expect(name == "p.webp")
        let sticker = fixture.record(photo: "p").copied(toPack: "", as: name, thumbnail: nil)
        try await fixture.library.finish(
            again, as: .made([sticker], result: fixture.result(photo: "p"), stems: ["p"]))
        #expect(
            try await fixture.library.stickers(ofPack: "", after: .start, limit: 1000).map(\.sticker.file) == ["p.webp"]
        )
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
    }

    @Test("A photo whose remake failed, so that it keeps its former sticker, is remade at the next request")
    func failed() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.library.remember(recipe: "new", content: "{}")
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "new").files == 1)
        try await fixture.library.finish(
            try #require(try await fixture.claimOne()), as: .failed(reason: "broken", recipe: "new"))
        #expect(try await fixture.library.status().photos[.failed] == 1)
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "new").files == 1)
        #expect(try await fixture.claimOne() != nil)
    }

    @Test("A folder without a Library has nothing to remake")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect { try PhotoLibrary.requestRemake(in: folder.path, otherThan: nil) } throws: {
            ($0 as? LibraryError)?.code == .missing
        }
    }

    @Test(
        "A file that cannot be read is listed without the colors of the photo that it held", arguments: [true, false])
    func colorsOfUnreadable(isTouched: Bool) async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.resolve(claim, photo: "p")
        try await fixture.library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        let before = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect(before.withoutSubject.map(\.colors) == [LibraryFixture.colors])
        if isTouched {
            try await fixture.arrive("a", version: 2)
        } else {
            _ = try PhotoLibrary.requestRetry(in: fixture.folder.path, of: ["a"])
        }
        try await fixture.library.finish(
            try #require(try await fixture.claimOne()), as: .unreadable(reason: "permission denied"))
        let failed = try await fixture.library.summary(ofPack: "", listed: 9).failed
        #expect(failed.map(\.reason) == ["permission denied"] && failed.map(\.colors) == [nil])
    }
}
