import LinuxIO
import PhotoFacts
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
        guard case .copy(let stickers) = try await fixture.library.resolve(claim, photo: "p") else {
            Issue.record("the photo is not recognised")
            return
        }
        let copies = stickers.map { $0.copied(toPack: claim.pack, as: $0.file, thumbnail: nil) }
        try await fixture.library.finish(claim, as: .copied(copies, stems: ["p"]))
        try await fixture.list()
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

    @Test("A file that could not be read, left and returns under another name is read again")
    func unreadable() async throws {
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        _ = try await fixture.library.record([arrival("a")])
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.finish(claim, as: .unreadable(reason: "the file is empty"))
        #expect(try await fixture.library.status().photos[.failed] == 1)
        try await fixture.library.forget([path("a")])
        #expect(try await fixture.library.formerNames(of: [arrival("b")]) == [path("b"): path("a")])
        _ = try await rename("a", to: "b")
        #expect(try await fixture.claimOne()?.path == path("b"))
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

    @Test(
        "A photo moved to another pack takes its sticker there, whatever happens to removed ones",
        arguments: WhenPhotoRemoved.allCases)
    func moved(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        #expect(try await rename("a", to: "Cats/a") == 1)
        try await fixture.library.forget([path("a")])
        #expect(try await stickers() == ["p"])
        try await finishCopy()
        #expect(try await stickers().isEmpty)
        #expect(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn == ["p.png"])
        #expect(try await stickers("Cats") == ["p"])
    }

    @Test("Moving a photo to another pack and back changes nothing", arguments: WhenPhotoRemoved.allCases)
    func back(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await fixture.arrive("a")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        _ = try await rename("a", to: "Cats/a")
        _ = try await rename("Cats/a", to: "a")
        #expect(try await fixture.claimOne() == nil)
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

@Suite("Stickers of renamed files")
struct RenamedStickerTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    private func path(_ name: String) -> InboxPath { LibraryFixture.path(name) }

    private func arrival(_ name: String, inode: UInt64 = 7) -> Arrival {
        let identity = FileIdentity(device: 1, inode: inode, size: 100, modified: 1, changed: 2)
        return Arrival(path: path(name), identity: identity, verdict: .ready)
    }

    private func rename(_ former: String, to name: String) async throws {
        _ = try await fixture.library.record([arrival(name)], renamed: [path(name): path(former)])
        try await fixture.library.forget([path(former)])
    }

    /// Makes two stickers of the next photo, `p`, whose files have this name.
    private func makeStickers(_ claim: Claim? = nil, file: String = "cat-p", stem: String? = "cat") async throws {
        let first = if let claim { claim } else { try await fixture.claimOne() }
        let claim = try #require(first)
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.folder(ofPack: claim.pack, candidates: [claim.pack])
        _ = try await fixture.library.resolve(claim, photo: "p")
        let stickers = (0...1).map { ordinal in
            StickerRecord(
                StickerFacts(width: 5, height: 3, confidence: 0.9), pack: claim.pack, photo: "p", ordinal: ordinal,
                file: "\(file)\(ordinal).png", stem: stem, bytes: 5, sha256: "s", recipe: "r")
        }
        try await fixture.library.finish(
            claim, as: .made(stickers, result: fixture.result(photo: "p"), stems: ["p"]))
    }

    private func stems(_ pack: String = "") async throws -> [String?] {
        try await fixture.library.stickerRecords(ofPack: pack).map(\.stem)
    }

    @Test("A renamed photo gives all its stickers its new stem, and its pack is written again")
    func renamed() async throws {
        try await fixture.arrive("cat.jpg")
        try await makeStickers()
        _ = fixture.library.takeChangedPacks()
        try await rename("cat.jpg", to: "hello 🐱 \u{202e}.x.jpg")
        #expect(try await stems() == ["hello 🐱 \\xe2\\x80\\xae.x", "hello 🐱 \\xe2\\x80\\xae.x"])
        #expect(fixture.library.takeChangedPacks() == [ExactName("")])
        try await rename("hello 🐱 \u{202e}.x.jpg", to: ".jpg")
        #expect(try await stems() == [".jpg", ".jpg"])
    }

    @Test("In a large pack, only the page of a renamed photo's sticker is due")
    func page() async throws {
        let library = fixture.library
        for number in 1...12 {
            let identity = FileIdentity(
                device: 1, inode: UInt64(number), size: 100, modified: 1, changed: Int64(number))
            _ = try await library.record([
                Arrival(path: path("\(number).jpg"), identity: identity, verdict: .ready)
            ])
            let claim = try #require(try await fixture.claimOne())
            _ = try await library.folder(ofPack: "", candidates: [""])
            try await library.remember(recipe: "r", content: "{}")
            _ = try await library.resolve(claim, photo: "\(number)")
            let sticker = StickerRecord(
                StickerFacts(width: 5, height: 3, confidence: 0.9), pack: "", photo: "\(number)",
                file: "x\(number).png", stem: "\(number)", bytes: 5, sha256: "s", recipe: "r")
            try await library.finish(
                claim, as: .made([sticker], result: fixture.result(photo: "\(number)"), stems: ["\(number)"]))
        }
        #expect(
            try await library.arrangePages(
                ofPack: "", sizes: PageSizes(maxUndivided: 10, maxStickers: 6)))
        while let page = try await library.nextDuePage(ofPack: "", after: nil)?.page {
            try await library.record([page], ofPack: "", with: [:])
        }
        _ = try await library.record([arrival("cat.jpg", inode: 2)], renamed: [path("cat.jpg"): path("2.jpg")])
        let due = try #require(try await library.nextDuePage(ofPack: "", after: nil))
        #expect(due.stickers.map(\.sticker.stem).prefix(3) == ["1", "cat", "3"])
        #expect(try await library.nextDuePage(ofPack: "", after: due.page) == nil)
    }

    @Test("If another file becomes the source of a sticker, the sticker gets that file's stem")
    func inherited() async throws {
        fixture.library.adopt(.withdraw)
        try await fixture.arrive("cat.jpg")
        try await makeStickers()
        _ = try await fixture.library.record([arrival("dog.jpg", inode: 8)])
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(claim, photo: "p")
        try await fixture.library.finish(claim, as: .settled())
        #expect(try await stems() == ["cat", "cat"])
        try await fixture.library.forget([path("cat.jpg")])
        #expect(try await stems() == ["dog", "dog"])
    }

    @Test("A photo that is renamed while its sticker is made gives it the new stem")
    func meanwhile() async throws {
        try await fixture.arrive("cat.jpg")
        let claim = try #require(try await fixture.claimOne())
        try await rename("cat.jpg", to: "dog.jpg")
        try await makeStickers(claim)
        #expect(try await stems() == ["dog", "dog"])
    }

    @Test("A photo that is renamed over another known one keeps its stickers, with the stem of that name")
    func overwritten() async throws {
        try await fixture.arrive("cat.jpg")
        try await makeStickers()
        _ = try await fixture.library.record([arrival("dog.jpg", inode: 8)])
        let dog = try #require(try await fixture.claimOne())
        try await fixture.library.finish(dog, as: .failed(reason: "damaged"))
        try await rename("cat.jpg", to: "dog.jpg")
        let claim = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(claim, photo: "p") else {
            Issue.record("the photo is not recognised")
            return
        }
        #expect(try await stems() == ["dog", "dog"])
    }

    @Test("A photo that moves to another pack and back under another name gives its stickers the new stem")
    func back() async throws {
        try await fixture.arrive("cat.jpg")
        try await makeStickers()
        try await rename("cat.jpg", to: "Cats/cat.jpg")
        try await rename("Cats/cat.jpg", to: "dog.jpg")
        #expect(try await fixture.claimOne() == nil)
        #expect(try await stems() == ["dog", "dog"])
    }

    @Test("A sticker that hides its photo's name still does if the photo is renamed")
    func hidden() async throws {
        try await fixture.arrive("secret.jpg")
        try await makeStickers(file: "p", stem: nil)
        try await rename("secret.jpg", to: "mine.jpg")
        #expect(try await stems() == [nil, nil])
    }

    @Test("If names are to be hidden, a sticker whose file already has one gets no other", arguments: [nil, "cat"])
    func hiddenLater(stem: String?) async throws {
        try await fixture.arrive("cat.jpg")
        try await makeStickers(stem: stem)
        try await fixture.library.adopt(keepStem: false)
        try await rename("cat.jpg", to: "secret.jpg")
        #expect(try await stems() == [stem, stem])
        try await fixture.library.adopt(keepStem: true)
        try await rename("secret.jpg", to: "dog.jpg")
        #expect(try await stems() == ["dog", "dog"])
    }

    @Test("A sticker named only by digits because its photo's name had only emoji gets the words of a new name")
    func digits() async throws {
        try await fixture.arrive("🐱.jpg")
        try await makeStickers(file: "p", stem: "🐱")
        try await rename("🐱.jpg", to: "cat.jpg")
        #expect(try await stems() == ["cat", "cat"])
    }
}
