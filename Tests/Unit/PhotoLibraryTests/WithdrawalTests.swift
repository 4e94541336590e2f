import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("Stickers whose photo is gone from the inbox")
struct WithdrawalTests {
    let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    /// Records each file with its photo and finishes it.
    func make(_ photos: KeyValuePairs<String, String>) async throws {
        for (name, photo) in photos {
            try await fixture.arrive(name)
            try await finish(photo)
        }
    }

    func finish(_ photo: String) async throws {
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        switch try await fixture.library.resolve(claim, photo: photo) {
        case .settled: try await fixture.library.finish(claim, as: .settled())
        default: try await fixture.makeSticker(claim, photo: photo)
        }
    }

    func remove(_ names: String...) async throws {
        try await fixture.library.forget(names.map { LibraryFixture.path($0) })
    }

    func stickers(_ pack: String = "") async throws -> [String] {
        try await fixture.library.stickerRecords(ofPack: pack).map(\.photo)
    }

    @Test("No copy of a photo stays in progress after all of them became unreadable", arguments: 2...4)
    func unreadableCopies(count: Int) async throws {
        let names = (0..<count).map { "a\($0)" }
        for name in names {
            try await fixture.arrive(name)
            try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        }
        for name in names { try await fixture.arrive(name, version: 2) }
        while let claim = try await fixture.claimOne() {
            try await fixture.library.finish(claim, as: .unreadable(reason: "permission denied"))
        }
        let photos = try await fixture.library.status().photos
        #expect(photos[.failed] == count && photos[.processing] == 0)
    }

    @Test("A removed photo's sticker stays or is withdrawn, as configured", arguments: WhenPhotoRemoved.allCases)
    func removed(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await make(["a": "p", "b": "q"])
        _ = fixture.library.takeChangedPacks()
        try await remove("a")
        #expect(try await stickers() == (rule == .keep ? ["p", "q"] : ["q"]))
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == (rule == .keep ? [] : ["p.png"]))
        #expect(fixture.library.takeChangedPacks().contains("") == (rule == .withdraw))
        #expect(try await fixture.library.status().photos[.done] == (rule == .keep ? 2 : 1))
    }

    @Test("A sticker stays while another file has its photo, and then belongs to that file")
    func copy() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p", "b": "p", "Cats/a": "p"])
        try await remove("a")
        #expect(try await stickers() == ["p"])
        #expect(try await fixture.library.status().photos[.duplicate] == 0)
        try await remove("b")
        #expect(try await stickers().isEmpty)
        #expect(try await stickers("Cats") == ["p"])
    }

    @Test("The last copy of a photo without a subject counts as one without a subject")
    func copyWithoutSubject() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.resolve(claim, photo: "p")
        try await fixture.library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        try await make(["b": "p"])
        #expect(try await fixture.library.status().photos[.noSubject] == 2)
        // Older releases recorded it as a duplicate.
        try await fixture.arrive("c")
        let copy = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(copy, photo: "p")
        try await fixture.library.finish(copy, as: .settled())
        try await remove("a", "b")
        #expect(try await fixture.library.status().photos[.noSubject] == 1)
        #expect(try await fixture.library.status().photos[.duplicate] == 0)
        #expect(try await fixture.library.status().photos[.done] == 0)
    }

    @Test("A replaced photo's sticker is withdrawn only when the new photo is done")
    func replaced() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        try await fixture.arrive("a", version: 2)
        #expect(try await stickers() == ["p"])
        try await finish("q")
        #expect(try await stickers() == ["q"])
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
    }

    @Test("A touched photo keeps its sticker")
    func touched() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        try await fixture.arrive("a", version: 2)
        try await finish("p")
        #expect(try await stickers() == ["p"])
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
    }

    @Test(
        "A replaced photo's sticker is withdrawn if the new file is removed before its turn, not if it cannot be read")
    func replacedByNothing() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p", "b": "q"])
        try await fixture.arrive("a", "b", version: 2)
        try await fixture.library.finish(
            try #require(try await fixture.claimOne()), as: .unreadable(reason: "permission denied"))
        try await remove("b")
        #expect(try await stickers() == ["p"])
        try await remove("a")
        #expect(try await stickers().isEmpty)
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png", "q.png"])
    }

    @Test("Archiving a photo is no removal, nor is a new photo under its name")
    func archived() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.folder(ofPack: "", candidates: [""])
        _ = try await fixture.library.resolve(claim, photo: "p")
        try await fixture.library.finish(
            claim, as: .made([fixture.record(photo: "p")], result: fixture.result(photo: "p"), stems: ["p"]),
            originals: .archive)
        try await remove("a")
        #expect(try await stickers() == ["p"])
        try await fixture.arrive("a", version: 2)
        try await finish("q")
        #expect(try await stickers() == ["p", "q"])
    }

    @Test("Deleting a photo that waits for its remake withdraws its sticker")
    func waiting() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        try await remove("a")
        #expect(try await stickers().isEmpty)
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
        #expect(try await fixture.library.status().photos[.pending] == 0)
    }

    @Test("A replaced photo's sticker is withdrawn if the new file disappears while it is in progress")
    func replacedByWhatGoes() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        try await fixture.arrive("a", version: 2)
        try await fixture.library.abandon(try #require(try await fixture.claimOne()))
        #expect(try await fixture.claimOne() == nil)
        try await remove("a")
        #expect(try await stickers().isEmpty)
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
        #expect(try await fixture.library.known(inFolder: nil).isEmpty)
    }

    @Test("… or if it changes while it is in progress")
    func replacedByWhatChanges() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        try await fixture.arrive("a", version: 2)
        try await fixture.library.abandon(try #require(try await fixture.claimOne()))
        try await fixture.arrive("a", version: 3)
        try await finish("q")
        #expect(try await stickers() == ["q"])
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
    }

    @Test("A photo that is touched and changed repeatedly is replaced once")
    func replacedAgainAndAgain() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        for version in 2...4 {
            try await fixture.arrive("a", version: Int64(version))
            let claim = try #require(try await fixture.claimOne())
            _ = try await fixture.library.resolve(claim, photo: "p")
            try await fixture.library.abandon(claim)
        }
        try await fixture.arrive("a", version: 5)
        try await finish("q")
        #expect(try await stickers() == ["q"])
    }

    @Test("A photo that disappears while it is remade has its sticker withdrawn")
    func goneInProgress() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        try await fixture.library.abandon(try #require(try await fixture.claimOne()))
        try await remove("a")
        #expect(try await stickers().isEmpty)
    }

    @Test("A name whose old file is still to be removed is given to a new sticker only if there is no other")
    func nameThatIsToGo() async throws {
        fixture.library.adopt(.withdraw)
        try await make(["a": "p"])
        try await remove("a")
        try await fixture.arrive("a", version: 2)
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(claim, photo: "p")
        func reserve(_ photo: String, _ candidates: String...) async throws -> String? {
            try await fixture.library.reserveName(
                forPhoto: photo, recipe: "r", candidates: candidates, thumbnail: { _ in nil }, claim: claim)
        }
        #expect(try await reserve("p", "p.png", "p-2.png") == "p-2.png")
        // The name is reserved now.
        #expect(try await reserve("p", "p.png") == "p-2.png")
        _ = try await fixture.library.resolve(claim, photo: "q")
        #expect(try await reserve("q", "p.png") == "p.png")
    }

    @Test("A removed photo whose sticker stays is not rescanned, and is recognized when it returns")
    func forgotten() async throws {
        try await make(["a": "p", "b": "q"])
        try await remove("a")
        let known = try await fixture.library.known(inFolder: nil)
        #expect(known.keys.map(\.description) == ["b"])
        #expect(try await fixture.library.knownFiles(limit: 9).keys.map(\.description) == ["b"])
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(claim, photo: "p") else {
            Issue.record("the photo is not recognised")
            return
        }
        try await fixture.library.finish(claim, as: .settled())
        #expect(try await stickers() == ["p", "q"])
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn.isEmpty)
    }
}
