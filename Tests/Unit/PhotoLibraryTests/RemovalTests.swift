import Foundation
import LinuxIO
import PhotoLibrary
import TestSupport
import Testing

@Suite("Stickers that a user removed")
struct RemovalTests {
    let fixture: LibraryFixture
    var library: PhotoLibrary { fixture.library }

    init() throws {
        fixture = try LibraryFixture()
    }

    func make(_ name: String) async throws {
        try await fixture.arrive(name)
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
    }

    func remove(_ names: String...) throws -> PhotoLibrary.Removal {
        try PhotoLibrary.requestRemoval(in: fixture.folder.path, of: names.map { .init($0) })
    }

    func restore(_ names: String...) throws -> PhotoLibrary.Removal {
        try PhotoLibrary.requestRestoration(in: fixture.folder.path, of: names.map { .init($0) })
    }

    func stickers(_ pack: String) async throws -> [String] {
        try await library.stickerRecords(ofPack: pack).map(\.file)
    }

    func removedOrdinals(_ pack: String) async throws -> [Int] {
        try await library.summary(ofPack: pack, listed: 0).removed.map(\.ordinal)
    }

    @Test("No name is reserved for a removed sticker")
    func unreserved() async throws {
        try await make("A/a")
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

    @Test("A removed sticker leaves the pack with its files; the photo stays done, and verify has nothing to say")
    func removed() async throws {
        try await make("A/a")
        #expect(try remove("A/p.png").stickers == 1)
        #expect(try await stickers("A").isEmpty)
        #expect(try await library.summary(ofPack: "A", listed: 0).withdrawn == ["p.png"])
        #expect(try await library.status().photos[.done] == 1)
        #expect(try await library.summary(ofPack: "A", listed: 9).removed.map(\.file) == ["p.png"])
        #expect(try LibraryInspection(of: fixture.folder.path).undecided.isEmpty)
        #expect(try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil).files == 0)
    }

    /// Finishes a new file as a photo without a subject, or as failed.
    func end(_ name: String, photo: String?, as state: FileState) async throws {
        try await fixture.arrive(name)
        let claim = try #require(try await fixture.claimOne())
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
        if let photo { _ = try await library.resolve(claim, photo: photo) }
        try await library.finish(
            claim,
            as: state == .failed
                ? .failed(reason: "broken") : .noSubject(fixture.result(photo: photo ?? ""), stems: ["n"]))
    }

    func listed(_ pack: String = "") async throws -> [String] {
        let summary = try await library.summary(ofPack: pack, listed: 9)
        return (summary.failed + summary.withoutSubject).map(\.path.description)
    }

    @Test("If one of several stickers was removed, a photo whose others are lost in a remake is listed")
    func partly() async throws {
        try await fixture.arrive("A/a")
        let first = try #require(try await fixture.claimOne())
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: "A", candidates: ["A"])
        _ = try await library.resolve(first, photo: "p")
        let pair = [0, 1].map { fixture.record(photo: "p", pack: "A", ordinal: $0) }
        try await library.finish(first, as: .made(pair, result: fixture.result(photo: "p"), stems: ["p"]))
        #expect(try remove("A/p.png").stickers == 1)
        try await library.remember(recipe: "new", content: "{}")
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "new")
        let claim = try #require(try await fixture.claimOne())
        _ = try await library.resolve(claim, photo: "p")
        let facts = fixture.result(photo: "p").facts
        try await library.finish(
            claim, as: .noSubject(.init(photo: "p", facts: facts, recipe: "new"), stems: ["p"]))
        #expect(try await listed("A") == ["A/a"])
        #expect(try await stickers("A").isEmpty)
    }

    @Test("A name without a folder must be that of one sticker only")
    func names() async throws {
        try await make("A/a")
        #expect(try remove("nothing.png").refused.count == 1)
        #expect(try remove("B/p.png").refused.count == 1)
        try await make("B/a")
        #expect(try remove("p.png").refused.first?.contains("several packs") == true)
        #expect(try remove("B/p.png").stickers == 1)
        #expect(try remove("p.png").stickers == 1)
        #expect(try restore("p.png").refused.first?.contains("several packs") == true)
        #expect(try restore("A/p.png").photos == 1)
    }

    @Test("A sticker that is removed while it is remade is withdrawn when it is finished")
    func whileRemade() async throws {
        try await make("A/a")
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        let claim = try #require(try await fixture.claimOne())
        _ = try await library.resolve(claim, photo: "p")
        _ = try remove("A/p.png")
        try await library.record(index: 1, removed: ["p.png"], ofPack: "A")
        let made = fixture.record(photo: "p", pack: "A")
        try await library.finish(claim, as: .made([made], result: fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await stickers("A").isEmpty)
        #expect(try await library.summary(ofPack: "A", listed: 0).withdrawn == ["p.png"])
        #expect(try await removedOrdinals("A") == [0])
    }

    /// Claims the photo of A/a again, because the file was touched.
    func claimAgain() async throws -> Claim {
        try await fixture.arrive("A/a", version: 2)
        let claim = try #require(try await fixture.claimOne())
        _ = try await library.resolve(claim, photo: "p")
        return claim
    }

    func isMadeNext() async throws -> Bool {
        guard let claim = try await fixture.claimOne(),
            case .work = try await library.resolve(claim, photo: "p")
        else { return false }
        return true
    }

    @Test("A sticker that is restored while its photo is in progress is made next")
    func restoredInProgress() async throws {
        try await make("A/a")
        _ = try remove("A/p.png")
        let claim = try await claimAgain()
        #expect(try restore("A/p.png").photos == 1)
        try await library.finish(
            claim, as: .made([], result: fixture.result(photo: "p"), stems: [], skipping: [0]))
        #expect(try await isMadeNext())
    }

    @Test("One of two stickers that is restored while the photo is in progress is made next", arguments: [true, false])
    func oneOfTwoRestoredInProgress(isUnchanged: Bool) async throws {
        let pair = [0, 1].map { fixture.record(photo: "p", pack: "A", ordinal: $0) }
        let result = fixture.result(photo: "p")
        try await fixture.arrive("A/a")
        let first = try #require(try await fixture.claimOne())
        _ = try await library.folder(ofPack: "A", candidates: ["A"])
        _ = try await library.resolve(first, photo: "p")
        try await library.remember(recipe: "r", content: "{}")
        try await library.finish(first, as: .made(pair, result: result, stems: []))
        _ = try remove("A/p-1.png")
        let claim = try await claimAgain()
        #expect(try restore("A/p-1.png").photos == 1)
        try await library.finish(
            claim, as: isUnchanged ? .settled() : .made([pair[0]], result: result, stems: [], skipping: [1]))
        #expect(try await isMadeNext())
    }

    @Test("A photo whose skipped sticker is still removed is done")
    func stillRemoved() async throws {
        try await make("A/a")
        _ = try remove("A/p.png")
        let claim = try await claimAgain()
        try await library.finish(
            claim, as: .made([], result: fixture.result(photo: "p"), stems: [], skipping: [0]))
        #expect(try await library.status().photos[.done] == 1)
    }

    @Test("A sticker stays removed in the pack that its photo moves to, and returns if it is restored there")
    func moved() async throws {
        try await make("A/a")
        _ = try remove("A/p.png")
        let arrival = Arrival(
            path: LibraryFixture.path("B/a"), identity: LibraryFixture.identity(), verdict: .ready)
        _ = try await library.record([arrival], renamed: [arrival.path: LibraryFixture.path("A/a")])
        #expect(try await removedOrdinals("B") == [0])
        #expect(try await removedOrdinals("A") == [])
        #expect(try await fixture.claimOne() == nil)
        _ = try await library.folder(ofPack: "B", candidates: ["B"])
        #expect(try await stickers("B").isEmpty)
        #expect(try restore("B/p.png").photos == 1)
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try await stickers("B") == ["p.png"])
    }

    @Test("A pack from which a sticker was removed is not copied to another")
    func copied() async throws {
        try await make("A/a")
        _ = try remove("A/p.png")
        try await fixture.arrive("B/a")
        guard
            case .work = try await library.resolve(
                try #require(try await fixture.claimOne()), photo: "p")
        else {
            Issue.record("An incomplete set of stickers would be copied")
            return
        }
    }

    @Test("A sticker whose photo is gone can be restored; it is made when the photo returns")
    func gone() async throws {
        try await make("A/a")
        _ = try remove("A/p.png")
        try await library.forget([LibraryFixture.path("A/a")])
        let restored = try restore("A/p.png")
        #expect(restored.photos == 0 && restored.postponed.first?.contains("its photo is gone") == true)
        try await make("A/a")
        #expect(try await stickers("A") == ["p.png"])
    }

    @Test("The last copy of a photo whose sticker was removed is done")
    func inherited() async throws {
        library.adopt(.withdraw)
        try await make("A/a")
        try await fixture.arrive("A/b")
        let copy = try #require(try await fixture.claimOne())
        _ = try await library.resolve(copy, photo: "p")
        try await library.finish(copy, as: .settled())
        _ = try remove("A/p.png")
        try await library.forget([LibraryFixture.path("A/a")])
        #expect(try await library.status().photos[.done] == 1)
        #expect(try await library.status().photos[.noSubject] == 0)
    }
}
