import PhotoLibrary
import TestSupport
import Testing

/// A claim that ends after its file has come in again concerns contents that no file has any more.
@Suite("A photo is replaced under its name while its sticker is made")
struct ReplacedInProgressTests {
    /// What the worker had done when the file came in again.
    enum Progress: CaseIterable {
        case claimed
        case resolved
    }

    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
        fixture.library.adopt(.withdraw)
    }

    /// Makes the sticker of photo `p` from file `a`, which comes in again at the stage `progress`, if it was begun by then.
    private func makeReplaced(at progress: Progress) async throws {
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        if progress == .resolved { _ = try await fixture.library.resolve(claim, photo: "p") }
        try await fixture.arrive("a", version: 2)
        try await finish(claim, progress)
    }

    private func finish(_ claim: Claim, _ progress: Progress) async throws {
        guard progress == .resolved else { return try await fixture.makeSticker(claim, photo: "p") }
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
        let sticker = fixture.record(photo: "p", pack: claim.pack)
        try await library.finish(claim, as: .made([sticker], result: fixture.result(photo: "p"), stems: ["p"]))
    }

    private var library: PhotoLibrary { fixture.library }

    private var stickers: [String] {
        get async throws { try await fixture.library.stickerRecords(ofPack: "").map(\.photo) }
    }

    @Test("By another photo: once that is done, the first one's sticker is withdrawn", arguments: Progress.allCases)
    func another(progress: Progress) async throws {
        try await makeReplaced(at: progress)
        #expect(try await stickers == (progress == .resolved ? ["p"] : []))
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        #expect(try await stickers == ["q"])
        let withdrawn = try await fixture.library.summary(ofPack: "", listed: 0).withdrawn
        #expect(withdrawn == (progress == .resolved ? ["p.png"] : []))
    }

    @Test(
        "The end of a claim leaves the work on the file's next contents, or on the next file, in progress",
        arguments: ["a", "b"])
    func attempt(next: String) async throws {
        try await fixture.arrive("a")
        let first = try #require(try await fixture.claimOne())
        try await fixture.arrive("a", version: 2)
        if next != "a" {
            try await library.forget([LibraryFixture.path("a")])
            try await fixture.arrive(next)
        }
        let second = try #require(try await fixture.claimOne())
        try await library.finish(first, as: .unreadable(reason: "changed"))
        _ = try await library.resolve(second, photo: "q")
        #expect(try await library.status().photos[.processing] == 1)
        #expect(try await fixture.claimOne() == nil)
    }

    @Test("Its pack is marked to be written as soon as the other photo is known: the first one's sticker leaves it")
    func changedPack() async throws {
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.arrive("a", version: 2)
        let claim = try #require(try await fixture.claimOne())
        _ = library.takeChangedPacks()
        _ = try await library.resolve(claim, photo: "q")
        #expect(try await stickers == [])
        #expect(library.takeChangedPacks() == [""])
    }

    @Test("The end of a claim leaves the file's next contents a suspect")
    func suspect() async throws {
        try await fixture.arrive("a")
        let first = try #require(try await fixture.claimOne())
        try await fixture.arrive("a", version: 2)
        #expect(try await library.suspect(try #require(try await fixture.claimOne()), because: "signal 9"))
        try await library.finish(first, as: .unreadable(reason: "changed"))
        #expect(try await fixture.claimOne()?.isSuspect == true)
    }

    @Test("By the same photo: its sticker stays", arguments: Progress.allCases)
    func same(progress: Progress) async throws {
        try await makeReplaced(at: progress)
        let claim = try #require(try await fixture.claimOne())
        let resolution = try await library.resolve(claim, photo: "p")
        if progress == .resolved, case .work = resolution { Issue.record("The sticker would be made again") }
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await stickers == ["p"])
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
    }

    @Test("After a move to another pack: the first pack's sticker is withdrawn", arguments: Progress.allCases)
    func moved(progress: Progress) async throws {
        try await fixture.arrive("Cats/a")
        let claim = try #require(try await fixture.claimOne())
        if progress == .resolved { _ = try await fixture.library.resolve(claim, photo: "p") }
        let moved = Arrival(
            path: LibraryFixture.path("Dogs/a"), identity: LibraryFixture.identity(1), verdict: .ready)
        _ = try await fixture.library.record([moved], renamed: [moved.path: claim.path])
        try await fixture.arrive("Dogs/a", version: 2)
        try await finish(claim, progress)
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        #expect(try await fixture.library.stickerRecords(ofPack: "Cats").isEmpty)
        #expect(try await fixture.library.stickerRecords(ofPack: "Dogs").map(\.photo) == ["q"])
    }

    @Test("A photo that is moved on before its sticker in the second pack is done has a sticker in the third alone")
    func movedOn() async throws {
        func move(_ former: String, _ name: String) async throws {
            let moved = Arrival(
                path: LibraryFixture.path(name), identity: LibraryFixture.identity(1), verdict: .ready)
            _ = try await fixture.library.record([moved], renamed: [moved.path: LibraryFixture.path(former)])
        }
        try await fixture.arrive("Ants/a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await move("Ants/a", "Bees/a")
        let second = try #require(try await fixture.claimOne())
        try await move("Bees/a", "Cats/a")
        try await fixture.makeSticker(second, photo: "p")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        for (pack, expected) in ["Ants": 0, "Bees": 0, "Cats": 1] {
            #expect(try await fixture.library.stickerRecords(ofPack: pack).count == expected, "\(pack)")
        }
    }

    @Test("By a file that is removed before its turn: no sticker stays", arguments: Progress.allCases)
    func removed(progress: Progress) async throws {
        try await makeReplaced(at: progress)
        try await fixture.library.forget([LibraryFixture.path("a")])
        #expect(try await stickers.isEmpty)
    }

    @Test("By a file that is removed while the sticker is made: no sticker stays", arguments: Progress.allCases)
    func removedAtOnce(progress: Progress) async throws {
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        if progress == .resolved { _ = try await fixture.library.resolve(claim, photo: "p") }
        try await fixture.arrive("a", version: 2)
        try await fixture.library.forget([LibraryFixture.path("a")])
        try await finish(claim, progress)
        // It is looked for again.
        try await fixture.library.forget([LibraryFixture.path("a")])
        #expect(try await stickers.isEmpty)
    }

    @Test("Where stickers stay without their photos, both stay", arguments: Progress.allCases)
    func kept(progress: Progress) async throws {
        fixture.library.adopt(.keep)
        try await makeReplaced(at: progress)
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        #expect(try await stickers == (progress == .resolved ? ["p", "q"] : ["q"]))
    }
}
