import FileNames
import PhotoLibrary
import PhotoRule
import Testing

/// A claim that ends after its file has come in again concerns contents that no file has any more.
@Suite("A photo is replaced under its name, or removed, while its sticker is made")
struct ReplacedInProgressTests {
    /// What the worker had done when the file came in again.
    enum Progress: CaseIterable {
        case claimed
        case resolved
    }

    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    init() { fixture.library.adopt(.withdraw) }

    /// Claims the new file `a`, and begins photo `p`'s sticker, if it is begun before the file comes in again.
    private func begin(_ progress: Progress) async throws -> Claim {
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        if progress == .resolved { _ = try await library.resolve(claim, photo: "p") }
        try await fixture.arrive("a", version: 2)
        return claim
    }

    private func finish(_ claim: Claim, _ progress: Progress) async throws {
        guard progress == .resolved else { return try await fixture.makeSticker(claim, photo: "p") }
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
        let sticker = fixture.record(photo: "p", pack: claim.pack)
        try await library.finish(claim, as: .made([sticker], result: fixture.result(photo: "p"), stems: ["p"]))
    }

    @Test(
        "By another photo: once that is done, the first one's sticker is withdrawn, unless stickers stay without photos",
        arguments: Progress.allCases, WhenPhotoRemoved.allCases)
    func another(progress: Progress, rule: WhenPhotoRemoved) async throws {
        library.adopt(rule)
        try await finish(begin(progress), progress)
        #expect(try await fixture.stickers() == (progress == .resolved ? ["p"] : []))
        try await fixture.makeSticker(fixture.next(), photo: "q")
        let isWithdrawn = progress == .resolved && rule == .withdraw
        #expect(try await fixture.stickers() == (progress == .claimed || isWithdrawn ? ["q"] : ["p", "q"]))
        #expect(try await fixture.withdrawn() == (isWithdrawn ? ["p.png"] : []))
    }

    @Test(
        "The end of a claim leaves the work on the file's next contents, or on the next file, in progress",
        arguments: ["a", "b"])
    func attempt(next: String) async throws {
        let first = try await begin(.claimed)
        if next != "a" {
            try await fixture.forget("a")
            try await fixture.arrive(next)
        }
        let second = try await fixture.next()
        try await library.finish(first, as: .unreadable(reason: "changed"))
        _ = try await library.resolve(second, photo: "q")
        #expect(try await fixture.count(.processing) == 1)
        #expect(try await fixture.claimOne() == nil)
    }

    @Test("Its pack is marked to be written as soon as the other photo is known: the first one's sticker leaves it")
    func changedPack() async throws {
        try await fixture.make(["a": "p"])
        try await fixture.arrive("a", version: 2)
        let claim = try await fixture.next()
        _ = library.takeChangedPacks()
        _ = try await library.resolve(claim, photo: "q")
        #expect(try await fixture.stickers() == [])
        #expect(library.takeChangedPacks() == [""])
    }

    @Test("The end of a claim leaves the file's next contents a suspect")
    func suspect() async throws {
        let first = try await begin(.claimed)
        #expect(try await library.suspect(fixture.next(), because: "signal 9"))
        try await library.finish(first, as: .unreadable(reason: "changed"))
        #expect(try await fixture.claimOne()?.isSuspect == true)
    }

    @Test("By the same photo: its sticker stays", arguments: Progress.allCases)
    func same(progress: Progress) async throws {
        try await finish(begin(progress), progress)
        let claim = try await fixture.next()
        let work = try await fixture.begin(claim, photo: "p")
        #expect(progress == .claimed || work != .work, "The sticker would be made again")
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await fixture.stickers() == ["p"])
        #expect(try await fixture.withdrawn().isEmpty)
    }

    @Test("A photo that is moved on before its sticker in the second pack is done has a sticker in the third alone")
    func movedOn() async throws {
        try await fixture.make(["Ants/a": "p"])
        try await fixture.rename("Ants/a", to: "Bees/a", changed: 1)
        let second = try await fixture.next()
        try await fixture.rename("Bees/a", to: "Cats/a", changed: 1)
        try await fixture.makeSticker(second, photo: "p")
        try await fixture.makeSticker(fixture.next(), photo: "p")
        for (pack, expected) in ["Ants": [], "Bees": [], "Cats": ["p"]] {
            #expect(try await fixture.stickers(pack) == expected, "\(pack)")
        }
    }

    @Test(
        "By a file that is removed before its turn, or while the sticker is made: no sticker stays",
        arguments: Progress.allCases, [true, false])
    func replacementRemoved(progress: Progress, isMadeBefore: Bool) async throws {
        let claim = try await begin(progress)
        if isMadeBefore { try await finish(claim, progress) }
        try await fixture.forget("a")
        if !isMadeBefore {
            try await finish(claim, progress)
            // It is looked for again.
            try await fixture.forget("a")
        }
        #expect(try await fixture.stickers().isEmpty)
    }

    @Test(
        "A photo that is removed is reported as unfinished until its work ends, and then nothing of it is left",
        arguments: [true, false])
    func removed(isMade: Bool) async throws {
        let path = LibraryFixture.path("a")
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        #expect(try await library.forget([path]) == [path])
        #expect(try await library.forget([path], isLogged: true) == [path])
        if isMade {
            try await fixture.makeSticker(claim, photo: "p")
        } else {
            try await library.finish(claim, as: .failed(reason: "damaged"))
        }
        #expect(try await library.forget([path], isLogged: true) == [])
        #expect(try await fixture.stickers().isEmpty)
        #expect(try await library.known(inFolder: nil).isEmpty)
        let files = try await library.status().photos.values.reduce(0, +)
        #expect(isMade || files == 0)
    }
}
