import LinuxIO
import PhotoLibrary
import TestSupport
import Testing

@Suite("Renamed files")
struct RenameTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    private func path(_ name: String) -> InboxPath { LibraryFixture.path(name) }

    private func arrival(_ name: String, inode: UInt64 = 7, changed: Int64 = 2) -> Arrival {
        let identity = FileIdentity(device: 1, inode: inode, size: 100, modified: 1, changed: changed)
        return Arrival(path: path(name), identity: identity, verdict: .ready)
    }

    private func rename(_ former: String, to name: String) async throws -> Int {
        try await fixture.library.record([arrival(name)], renamed: [path(name): path(former)])
    }

    private func finishCopy() async throws {
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.folder(ofPack: claim.pack, candidates: [claim.pack])
        guard case .copy(let stickers) = try await fixture.library.resolve(claim, photo: "p", recipe: "r") else {
            Issue.record("the photo is not recognised")
            return
        }
        let copies = stickers.map { $0.copied(toPack: claim.pack, as: $0.file, thumbnail: nil) }
        try await fixture.library.finish(claim, as: .copied(copies, stems: ["p"]))
    }

    private func stickers(_ pack: String = "") async throws -> [String] {
        try await fixture.library.stickerRecords(ofPack: pack).map(\.photo)
    }

    @Test("A file under a new name is recognized by device, inode, size and time")
    func recognised() async throws {
        try await fixture.arrive("a")
        #expect(try await fixture.library.formerNames(of: [arrival("b")]) == [path("b"): path("a")])
        #expect(try await fixture.library.formerNames(of: [arrival("b", inode: 8)]).isEmpty)
        #expect(try await fixture.library.formerNames(of: [arrival("a")]).isEmpty)
    }

    @Test("A renamed photo keeps its sticker and its history", arguments: WhenPhotoRemoved.allCases)
    func done(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try await rename("a", to: "b") == 0)
        try await fixture.library.forget([path("a")])
        #expect(try await fixture.library.status().photos[.done] == 1)
        #expect(try await stickers() == ["p"])
        #expect(try await fixture.library.known(inFolder: nil)[path("b")] == arrival("b").identity)
        let story = try #require(try PhotoStory.read(of: "b", in: fixture.folder.path))
        #expect(story.attempts.count == 1)
    }

    @Test("A photo moved to another pack takes its sticker there if stickers are withdrawn with their photos")
    func moved() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try await rename("a", to: "Cats/a") == 1)
        try await fixture.library.forget([path("a")])
        #expect(try await stickers() == ["p"])
        try await finishCopy()
        #expect(try await stickers().isEmpty)
        #expect(try await fixture.library.withdrawnFiles(ofPack: "") == ["p.png"])
        #expect(try await stickers("Cats") == ["p"])
    }

    @Test("… and otherwise has one in both")
    func movedAndKept() async throws {
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try await rename("a", to: "Cats/a") == 1)
        try await finishCopy()
        #expect(try await stickers() == ["p"])
        #expect(try await stickers("Cats") == ["p"])
    }

    @Test("Moving a photo to another pack and back changes nothing")
    func back() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        _ = try await rename("a", to: "Cats/a")
        _ = try await rename("Cats/a", to: "a")
        let claim = try #require(try await fixture.claimOne())
        guard case .alreadyDone = try await fixture.library.resolve(claim, photo: "p", recipe: "r") else {
            Issue.record("the photo is not recognised")
            return
        }
        try await fixture.library.finish(claim, as: .unchanged)
        #expect(try await stickers() == ["p"])
    }

    @Test("A photo that returns to the inbox under another name is recognized")
    func away() async throws {
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.library.forget([path("a")])
        #expect(try await fixture.library.formerNames(of: [arrival("b")]) == [path("b"): path("a")])
        #expect(try await rename("a", to: "b") == 0)
        #expect(try await fixture.library.known(inFolder: nil) == [path("b"): arrival("b").identity])
        #expect(try await stickers() == ["p"])
    }

    @Test("A photo renamed while it is in progress stays in the queue when the Processor does not find it")
    func inProgress() async throws {
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        _ = try await rename("a", to: "b")
        try await fixture.library.abandon(claim)
        #expect(try await fixture.claimOne()?.path == path("b"))
    }

    @Test("A file whose former name now belongs to another file is not renamed")
    func replacedMeanwhile() async throws {
        try await fixture.arrive("a")
        _ = try await fixture.library.record([arrival("a", inode: 9)])
        #expect(try await rename("a", to: "b") == 1)
        #expect(try await fixture.library.status().photos[.pending] == 2)
    }
}
