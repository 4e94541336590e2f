import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

extension RemovalTests {
    @Test("Removing a photo removes all of its stickers in its pack, and no other's")
    func photo() async throws {
        for name in ["A/a", "B/a"] {
            try await fixture.arrive(name)
            let claim = try #require(try await fixture.claimOne())
            _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
            try await library.remember(recipe: "r", content: "{}")
            _ = try await library.resolve(claim, photo: "p")
            let pair = [0, 1].map { fixture.record(photo: "p", pack: claim.pack, ordinal: $0) }
            try await library.finish(claim, as: .made(pair, result: fixture.result(photo: "p"), stems: ["p"]))
        }
        #expect(try remove("A/a").stickers == 2)
        #expect(try await stickers("A").isEmpty)
        #expect(try await stickers("B").count == 2)
        #expect(try await library.summary(ofPack: "A", listed: 0).withdrawn == ["p-1.png", "p.png"])
        #expect(try await removedOrdinals("A") == [0, 1])
        #expect(try remove("A/a").refused == ["A/a: was removed already"])
        #expect(try restore("A/p.png", "A/a").photos == 1, "one photo, named by a sticker and by itself")
        #expect(try await library.status().photos[.pending] == 1)
        #expect(try await removedOrdinals("A").isEmpty)
        // The photo of a sticker that stays after the photo was deleted.
        try await library.forget([LibraryFixture.path("B/a")])
        #expect(try remove("B/a").stickers == 2)
        #expect(try await stickers("B").isEmpty)
    }

    @Test("The sticker of a photo that the settings came to ignore can be removed by the photo, too")
    func ignored() async throws {
        try await make("A/a")
        try await library.adoptIgnoreRules("a") { _ in true }
        _ = try await library.record([
            Arrival(
                path: LibraryFixture.path("A/a"), identity: LibraryFixture.identity(),
                verdict: .ignored(reason: "pattern"))
        ])
        #expect(try await stickers("A") == ["p.png"])
        #expect(try remove("A/a").stickers == 1)
        #expect(try await stickers("A").isEmpty)
        #expect(try remove("A/a").refused == ["A/a: has no sticker: pattern"])
    }

    @Test("A name that is a sticker's and a photo's means the sticker, unless it is a path in the inbox")
    func ambiguous() async throws {
        try await make("A/a")
        try await end("A/p.png", photo: "q", as: .noSubject)
        #expect(try remove("A/p.png").stickers == 1)
        #expect(try await listed("A") == ["A/p.png"])
        #expect(try restore("A/p.png").photos == 1)
        let removal = try PhotoLibrary.requestRemoval(
            in: fixture.folder.path, of: [.init("A/p.png", isPhoto: true)])
        #expect(removal.photos == 1 && removal.stickers == 0)
        #expect(try await listed("A").isEmpty)
    }

    @Test(
        "A removed photo without a sticker is listed no more, also after it was processed again, until it is restored",
        arguments: [FileState.noSubject, .failed])
    func entry(state: FileState) async throws {
        let photo = String(repeating: "5e", count: 32)
        try await end("A/n", photo: photo, as: state)
        try await end("A/copy", photo: photo, as: state)
        try await end("B/n", photo: photo, as: state)
        #expect(try await listed("A") == ["A/n", "A/copy"])
        let removal = try remove("A/n")
        #expect(removal.photos == 1 && removal.stickers == 0 && removal.refused.isEmpty)
        #expect(try await listed("A").isEmpty)
        #expect(try await listed("B") == ["B/n"])
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try await library.status().photos[state] == 1)
        #expect(try LibraryInspection(of: fixture.folder.path).undecided.isEmpty)
        #expect(try await library.summary(ofPack: "A", listed: 0).removed.map(\.file) == ["5e5e5e5e.png"])
        // Touched, and a new copy of it.
        try await fixture.arrive("A/n", version: 2)
        try await end("A/later", photo: photo, as: state)
        while let claim = try await fixture.claimOne() {
            _ = try await library.resolve(claim, photo: photo)
            try await library.finish(claim, as: .noSubject(fixture.result(photo: photo), stems: ["n"]))
        }
        #expect(try await listed("A").isEmpty)
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try restore(state == .failed ? "A/n" : "A/5e5e5e5e.png").photos == 1)
        // Their copies follow.
        #expect(try await library.status().photos[.pending] == 1)
    }

    @Test("A failed photo that was never read can be removed, too; photos without an entry are refused")
    func refused() async throws {
        try await end("huge", photo: nil, as: .failed)
        #expect(try remove("huge").photos == 1)
        #expect(try await listed().isEmpty)
        #expect(
            try remove("huge").refused
                == ["huge: has no sticker: removed by stickerd remove; touch the file to process it again"])
        // Also if the patterns change.
        try await library.adoptIgnoreRules("other") { _ in false }
        #expect(try await library.status().photos[.ignored] == 1)
        try await fixture.arrive("waiting")
        #expect(try remove("waiting").refused == ["waiting: has no sticker yet; try again when it is finished"])
        #expect(
            try remove("nothing").refused
                == ["nothing: unknown sticker or photo; give its path, or its path in the outbox or the inbox"])
    }

    @Test("A removed photo without a sticker is not moved out of the inbox")
    func originals() async throws {
        try await fixture.arrive("n")
        let claim = try #require(try await fixture.claimOne())
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.resolve(claim, photo: "p")
        try await library.finish(
            claim, as: .noSubject(fixture.result(photo: "p"), stems: ["n"]), originals: .archive)
        #expect(try remove("n").photos == 1)
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
    }
}
