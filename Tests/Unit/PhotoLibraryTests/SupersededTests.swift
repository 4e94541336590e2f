import LibraryCommands
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Photos that were moved, and whose names others take")
struct SupersededTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    @Test("A photo in the archive keeps its history when another file takes its name", arguments: [true, false])
    func sameName(isPhoto: Bool) async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"], originals: .archive)
        try await fixture.archive()
        if isPhoto {
            try await fixture.arrive("a", version: 2)
            try await fixture.makeSticker(fixture.next(), photo: "q", originals: .archive)
            try await fixture.archive(as: "a-2")
        } else {
            let verdict = Arrival.Verdict.ignored(reason: "no photo")
            let file = Arrival(path: LibraryFixture.path("a"), identity: LibraryFixture.identity(2), verdict: verdict)
            #expect(try await library.record([file]) == 0)
        }
        #expect(try await fixture.stickers() == (isPhoto ? ["p", "q"] : ["p"]))
        #expect(try await fixture.count(.done) == (isPhoto ? 2 : 1))
        _ = try Library.requestRemoval(in: fixture.folder.path, of: [.init("p.png")])
        #expect(try Library.requestRestoration(in: fixture.folder.path, of: [.init("p.png")]).photos == 1)
        let claim = try await fixture.next()
        #expect(try await library.location(of: claim)?.path == "/archive/a")
        #expect(try await library.resolve(claim, photo: "p").kind == .work)
    }

    @Test("A failed photo that returns to its name after another one had it has one entry, and is tried again")
    func returned() async throws {
        for (version, photo) in [(1, "p"), (2, "q")] as [(Int64, String)] {
            try await fixture.arrive("a", version: version)
            let claim = try await fixture.next()
            _ = try await fixture.begin(claim, photo: photo)
            try await library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
            try await fixture.archive(as: photo)
        }
        #expect(try await fixture.count(.failed) == 2)
        for version: Int64 in [1, 3] {
            try await fixture.arrive("a", version: version)
            let claim = try await fixture.next()
            #expect(try await library.resolve(claim, photo: "p").kind == .work)
            try await library.finish(claim, as: .failed(reason: "again"), originals: .archive)
            try await fixture.archive(as: "\(version)")
            #expect(try await fixture.count(.failed) == 2)
        }
    }

    @Test("A file that is renamed to the name of a photo in the archive keeps its sticker", arguments: ["b", "Trip/b"])
    func renamedOver(former: String) async throws {
        library.adopt(.withdraw)
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "p", originals: .archive)
        try await fixture.archive()
        _ = try await library.record([LibraryFixture.arrival(former, inode: 8)])
        try await fixture.makeSticker(fixture.next(), photo: "q")
        let arrival = LibraryFixture.arrival("a", inode: 8, changed: 2)
        #expect(try await library.formerNames(of: [arrival]) == [arrival.path: LibraryFixture.path(former)])
        try await fixture.rename(former, to: "a", inode: 8)
        while let claim = try await fixture.claimOne() { try await fixture.makeSticker(claim, photo: "q") }
        #expect(try await fixture.stickers() == ["p", "q"])
        #expect(try await fixture.count(.done) == 2)
    }

    @Test(
        "A photo whose name another file takes before its move is recorded keeps its history",
        arguments: [OriginalsMode.archive, .delete], [true, false])
    func supersededMeanwhile(mode: OriginalsMode, isReplaced: Bool) async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"], originals: mode)
        let original = try await fixture.dueOriginal()
        #expect(try await library.recordTarget(mode == .archive ? "/archive/a" : nil, for: original))
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        #expect(try await fixture.stickers() == ["p", "q"])
        let outcome = mode == .archive ? Original.Outcome.moved : .removed
        #expect(try await library.conclude(original, as: isReplaced ? .gone : outcome))
        #expect(try await fixture.stickers() == (isReplaced ? ["q"] : ["p", "q"]))
        #expect(try await fixture.count(.done) == (isReplaced ? 1 : 2))
        #expect(try await library.known(inFolder: nil).count == 1)
    }

    @Test("A failed photo whose file others have deleted is forgotten when another one is moved to its place")
    func sameTarget() async throws {
        for version: Int64 in [1, 2] {
            try await fixture.arrive("a", version: version)
            try await library.finish(fixture.next(), as: .failed(reason: "broken"), originals: .archive)
            try await fixture.archive()
        }
        #expect(try await fixture.count(.failed) == 1)
    }
}
