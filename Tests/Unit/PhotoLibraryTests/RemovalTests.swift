import FileNames
import LibraryCommands
import PackLedger
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

/// `DecisionTests` has the rules for removed stickers; these tests are about requests, and what they meet.
@Suite("Stickers that a user removed")
struct RemovalTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    private func remove(_ names: String...) throws -> Library.Answer {
        try Library.requestRemoval(in: fixture.folder.path, of: names.map { .init($0) })
    }

    private func restore(_ names: String...) throws -> Library.Answer {
        try Library.requestRestoration(in: fixture.folder.path, of: names.map { .init($0) })
    }

    private func removedOrdinals(_ pack: String) async throws -> [Int] {
        try await library.summary(ofPack: pack, listed: 0).removed.map(\.ordinal)
    }

    /// The files of a pack's photos without a sticker.
    private func listed(_ pack: String = "") async throws -> [String] {
        let summary = try await library.summary(ofPack: pack, listed: 9)
        return (summary.failed + summary.withoutSubject).map(\.path.description)
    }

    private func pair(_ pack: String) -> [StickerRecord] {
        [0, 1].map { fixture.record(photo: "p", pack: pack, ordinal: $0) }
    }

    /// Makes two stickers of photo `p`.
    private func makePair(_ name: String) async throws {
        try await fixture.arrive(name)
        let claim = try await fixture.next()
        _ = try await fixture.begin(claim, photo: "p")
        try await library.finish(claim, as: .made(pair(claim.pack), result: fixture.result(photo: "p"), stems: ["p"]))
    }

    /// Claims the photo of A/a again, because the file was touched.
    private func claimAgain() async throws -> Claim {
        try await fixture.arrive("A/a", version: 2)
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        return claim
    }

    @Test("No name is reserved for a removed sticker")
    func unreserved() async throws {
        try await fixture.make(["A/a": "p"])
        _ = try remove("A/p.png")
        let claim = try await claimAgain()
        for (ordinal, name) in [nil, "p-1.png"].enumerated() {
            let reserved = try await library.reserveName(
                forPhoto: "p", ordinal: ordinal, recipe: "r", candidates: ["p-\(ordinal).png"], thumbnail: { _ in nil },
                claim: claim)
            #expect(reserved == name)
        }
        #expect(try restore("A/p.png").photos == 1)
    }

    @Test("A name without a folder must be that of one sticker only")
    func names() async throws {
        try await fixture.make(["A/a": "p"])
        #expect(try remove("nothing.png").refused.count == 1)
        #expect(try remove("B/p.png").refused.count == 1)
        try await fixture.make(["B/a": "p"])
        #expect(try remove("p.png").refused.first?.contains("several packs") == true)
        #expect(try remove("B/p.png").stickers == 1)
        #expect(try remove("p.png").stickers == 1)
        #expect(try restore("p.png").refused.first?.contains("several packs") == true)
        #expect(try restore("A/p.png").photos == 1)
    }

    @Test("A sticker that is removed while it is remade is withdrawn when it is finished")
    func whileRemade() async throws {
        try await fixture.make(["A/a": "p"])
        try fixture.remake()
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        _ = try remove("A/p.png")
        try await library.record(index: 1, removed: ["p.png"], ofPack: "A")
        let made = fixture.record(photo: "p", pack: "A")
        try await library.finish(claim, as: .made([made], result: fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await fixture.stickers("A").isEmpty)
        #expect(try await fixture.withdrawn("A") == ["p.png"])
        #expect(try await removedOrdinals("A") == [0])
        #expect(try LibraryInspection(of: fixture.folder.path).undecided.isEmpty)
        #expect(try fixture.remake() == 0)
    }

    @Test(
        "A sticker that is restored while its photo is in progress is made next",
        arguments: [(isPair: false, isUnchanged: false), (true, false), (true, true)])
    func restoredInProgress(isPair: Bool, isUnchanged: Bool) async throws {
        let (sticker, skipped) = isPair ? ("A/p-1.png", 1) : ("A/p.png", 0)
        if isPair { try await makePair("A/a") } else { try await fixture.make(["A/a": "p"]) }
        _ = try remove(sticker)
        let claim = try await claimAgain()
        #expect(try restore(sticker).photos == 1)
        let made = Ending.made(
            isPair ? [pair("A")[0]] : [], result: fixture.result(photo: "p"), stems: [], skipping: [skipped])
        try await library.finish(claim, as: isUnchanged ? .upToDate() : made)
        #expect(try await fixture.begin(fixture.next(), photo: "p") == .work)
    }

    @Test("A sticker stays removed in the pack that its photo moves to, and returns if it is restored there")
    func moved() async throws {
        try await fixture.make(["A/a": "p"])
        _ = try remove("A/p.png")
        try await fixture.rename("A/a", to: "B/a")
        #expect(try await removedOrdinals("B") == [0])
        #expect(try await removedOrdinals("A") == [])
        #expect(try await fixture.claimOne() == nil)
        _ = try await library.folder(ofPack: "B", candidates: ["B"])
        #expect(try restore("B/p.png").photos == 1)
        try await fixture.makeSticker(fixture.next(), photo: "p")
        #expect(try await fixture.stickers("B") == ["p"])
    }

    @Test("A sticker whose photo is gone can be restored; it is made when the photo returns")
    func gone() async throws {
        try await fixture.make(["A/a": "p"])
        _ = try remove("A/p.png")
        try await fixture.forget("A/a")
        let restored = try restore("A/p.png")
        #expect(restored.photos == 0 && restored.notes.first?.contains("its photo is gone") == true)
        try await fixture.make(["A/a": "p"])
        #expect(try await fixture.stickers("A") == ["p"])
    }

    @Test("Removing a photo removes all of its stickers in its pack, and no other's")
    func photo() async throws {
        for name in ["A/a", "B/a"] { try await makePair(name) }
        #expect(try remove("A/a").stickers == 2)
        #expect(try await fixture.stickers("A").isEmpty)
        #expect(try await fixture.stickers("B").count == 2)
        #expect(try await fixture.withdrawn("A") == ["p-1.png", "p.png"])
        #expect(try await removedOrdinals("A") == [0, 1])
        #expect(try remove("A/a").refused == ["A/a: was removed already"])
        #expect(try restore("A/p.png", "A/a").photos == 1, "one photo, named by a sticker and by itself")
        #expect(try await fixture.count(.pending) == 1)
        #expect(try await removedOrdinals("A").isEmpty)
        // The photo of a sticker that stays after the photo was deleted.
        try await fixture.forget("B/a")
        #expect(try remove("B/a").stickers == 2)
        #expect(try await fixture.stickers("B").isEmpty)
    }

    @Test("The sticker of a photo that the settings came to ignore can be removed by the photo, too")
    func ignored() async throws {
        try await fixture.make(["A/a": "p"])
        try await library.adoptIgnoreRules("a") { _ in true }
        _ = try await library.record([
            Arrival(
                path: LibraryFixture.path("A/a"), identity: LibraryFixture.identity(),
                verdict: .ignored(reason: "pattern"))
        ])
        #expect(try await fixture.stickers("A") == ["p"])
        #expect(try remove("A/a").stickers == 1)
        #expect(try await fixture.stickers("A").isEmpty)
        #expect(try remove("A/a").refused == ["A/a: has no sticker: pattern"])
    }

    @Test("A name that is a sticker's and a photo's means the sticker, unless it is a path in the inbox")
    func ambiguous() async throws {
        try await fixture.make(["A/a": "p"])
        try await fixture.end("A/p.png", photo: "q")
        #expect(try remove("A/p.png").stickers == 1)
        #expect(try await listed("A") == ["A/p.png"])
        #expect(try restore("A/p.png").photos == 1)
        let removal = try Library.requestRemoval(in: fixture.folder.path, of: [.init("A/p.png", isPhoto: true)])
        #expect(removal.photos == 1 && removal.stickers == 0)
        #expect(try await listed("A").isEmpty)
    }

    @Test(
        "A removed photo without a sticker is listed no more, also after it was processed again, until it is restored",
        arguments: [FileState.noSubject, .failed])
    func entry(state: FileState) async throws {
        let photo = String(repeating: "5e", count: 32)
        for name in ["A/n", "A/copy", "B/n"] {
            try await fixture.end(name, photo: photo, as: state, originals: .archive)
        }
        #expect(try await listed("A") == ["A/n", "A/copy"])
        let removal = try remove("A/n")
        #expect(removal.photos == 1 && removal.stickers == 0 && removal.refused.isEmpty)
        #expect(try await listed("A").isEmpty)
        #expect(try await listed("B") == ["B/n"])
        // It is not moved out of the inbox.
        #expect(try await library.dueOriginals(in: .max, limit: 9).map(\.path.description) == ["B/n"])
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try await fixture.count(state) == 1)
        #expect(try LibraryInspection(of: fixture.folder.path).undecided.isEmpty)
        #expect(try await library.summary(ofPack: "A", listed: 0).removed.map(\.file) == ["5e5e5e5e.png"])
        // Touched, and a new copy of it.
        try await fixture.arrive("A/n", version: 2)
        try await fixture.end("A/later", photo: photo, as: state)
        while let claim = try await fixture.claimOne() {
            _ = try await library.resolve(claim, photo: photo)
            try await library.finish(claim, as: .noSubject(fixture.result(photo: photo), stems: ["n"]))
        }
        #expect(try await listed("A").isEmpty)
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try restore(state == .failed ? "A/n" : "A/5e5e5e5e.png").photos == 1)
        // Their copies follow.
        #expect(try await fixture.count(.pending) == 1)
    }

    @Test("A failed photo that was never read can be removed, too; photos without an entry are refused")
    func refused() async throws {
        try await fixture.end("huge", photo: nil, as: .failed)
        #expect(try remove("huge").photos == 1)
        #expect(try await listed().isEmpty)
        #expect(
            try remove("huge").refused
                == ["huge: has no sticker: removed by stickerd remove; touch the file to process it again"])
        // Also if the patterns change.
        try await library.adoptIgnoreRules("other") { _ in false }
        #expect(try await fixture.count(.ignored) == 1)
        try await fixture.arrive("waiting")
        #expect(try remove("waiting").refused == ["waiting: has no sticker yet; try again when it is finished"])
        #expect(
            try remove("nothing").refused
                == ["nothing: unknown sticker or photo; give its path, or its path in the outbox or the inbox"])
    }
}
