import FileNames
import Foundation
import GRDB
import LibraryCommands
import PackLedger
import PhotoFacts
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

/// `DecisionTests` has the rules for stickers of photos that move; these tests are about the facts by which they
/// decide.
@Suite("Renamed files")
struct RenameTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    private func path(_ name: String) -> InboxPath { LibraryFixture.path(name) }

    private func arrival(_ name: String, inode: UInt64 = 7, changed: Int64 = 2) -> Arrival {
        LibraryFixture.arrival(name, inode: inode, changed: changed)
    }

    /// Works on every file in the queue, as the Processor does. All have the same photo.
    private func work() async throws {
        while let claim = try await fixture.claimOne() {
            try await fixture.makeSticker(claim, photo: "p", added: .now)
        }
    }

    /// The packs, of A, B and C, that have the sticker.
    private func packs() async throws -> [String] {
        var packs: [String] = []
        for pack in ["A", "B", "C"] where try await !fixture.stickers(pack).isEmpty { packs.append(pack) }
        return packs
    }

    @Test("A file under a new name is recognized by device, inode, size and time")
    func recognised() async throws {
        try await fixture.arrive("a")
        #expect(try await library.formerNames(of: [arrival("b")]) == [path("b"): path("a")])
        #expect(try await library.formerNames(of: [arrival("b", inode: 8)]).isEmpty)
        #expect(try await library.formerNames(of: [arrival("a")]).isEmpty)
    }

    @Test("A file that could not be read, left and returns under another name is read again")
    func unreadable() async throws {
        try await fixture.make(["a": "p"])
        _ = try await library.record([arrival("a")])
        try await library.finish(fixture.next(), as: .unreadable(reason: "the file is empty"))
        #expect(try await fixture.count(.failed) == 1)
        try await fixture.forget("a")
        #expect(try await library.formerNames(of: [arrival("b")]) == [path("b"): path("a")])
        try await fixture.rename("a", to: "b")
        #expect(try await fixture.claimOne()?.path == path("b"))
    }

    @Test("A renamed photo keeps its sticker and its history, also if it was away meanwhile", arguments: [false, true])
    func done(isAway: Bool) async throws {
        try await fixture.make(["a": "p"])
        if isAway { try await fixture.forget("a") }
        #expect(try await fixture.rename("a", to: "b") == 0)
        #expect(try await fixture.count(.done) == 1)
        #expect(try await fixture.stickers() == ["p"])
        #expect(try await library.known(inFolder: nil) == [path("b"): arrival("b").identity])
        #expect(try PhotoStory.read(of: "b", in: fixture.folder.path)?.attempts.count == 1)
    }

    @Test("A photo renamed while it is in progress stays in the queue when the Processor does not find it")
    func inProgress() async throws {
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        try await fixture.rename("a", to: "b")
        try await library.abandon(claim)
        #expect(try await fixture.claimOne()?.path == path("b"))
    }

    @Test("A file whose former name now belongs to another file is not renamed")
    func replacedMeanwhile() async throws {
        try await fixture.arrive("a")
        _ = try await library.record([arrival("a", inode: 9)])
        #expect(try await library.record([arrival("b")], renamed: [path("b"): path("a")]) == 1)
        #expect(try await fixture.count(.pending) == 2)
    }

    @Test(
        "A photo that is moved on while it is looked for under its former name waits for its sticker again",
        arguments: WhenPhotoRemoved.allCases)
    func movedInProgress(_ rule: WhenPhotoRemoved) async throws {
        library.adopt(rule)
        try await fixture.make(["A/a": "p"])
        try await fixture.rename("A/a", to: "B/a")
        let claim = try await fixture.next()
        let arrivals = [arrival("C/a", changed: 3)]
        let former = try await library.formerNames(of: arrivals)
        #expect(former == [path("C/a"): path("B/a")])
        // It is not found under B/a before the move to C/a is recorded.
        try await library.abandon(claim)
        #expect(try await library.record(arrivals, renamed: former) == 1)
        try await fixture.forget("B/a")
        let last = try await fixture.next()
        _ = try await fixture.begin(last, photo: "p")
        let sticker = fixture.record(photo: "p", pack: "C")
        try await library.finish(last, as: .made([sticker], result: fixture.result(photo: "p"), stems: ["p"]))
        // No index lists it yet.
        #expect(try await packs() == ["A", "C"])
        try await fixture.list()
        #expect(try await packs() == ["C"])
    }

    @Test("The end of a claim marks the pack that the photo came from, too, to be written")
    func changedPacks() async throws {
        try await fixture.make(["A/a": "p"])
        #expect(try await fixture.rename("A/a", to: "B/a") == 1)
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        _ = library.takeChangedPacks()
        try await library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await packs() == [])
        #expect(library.takeChangedPacks() == ["A", "B"])
    }

    @Test("A photo without a subject moves its colors")
    func withoutSubject() async throws {
        try await fixture.end("A/a", photo: "p")
        try await fixture.rename("A/a", to: "B/a")
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try await library.duePalettes(ofPack: "B", limit: 9).map(\.stem) == ["n"])
    }

    /// Moves all times that the Library has recorded into the past.
    private func pass(minutes: Int) throws {
        let database = try DatabaseQueue(path: fixture.folder["library/library.sqlite"].string)
        try database.write { database in
            for (table, column) in [
                ("file", "seen"), ("file", "since"), ("file", "leftAt"), ("sticker", "added"), ("stay", "since"),
                ("stay", "leftSince"), ("stay", "leftAt"),
            ] {
                try database.execute(
                    sql: """
                        UPDATE \(table) SET \(column) = strftime('%Y-%m-%d %H:%M:%f', \(column), '-\(minutes) minutes')
                        """)
            }
        }
    }

    @Test(
        "Bytes that leave one pack and come to another within minutes, in either order, have moved; in hours they have not",
        arguments: [false, true], [10, 60])
    func times(isCopiedFirst: Bool, minutes: Int) async throws {
        _ = try await library.record([arrival("A/a")])
        try await work()
        if isCopiedFirst { try pass(minutes: 60) } else { try await fixture.forget("A/a") }
        if !isCopiedFirst { try pass(minutes: minutes) }
        _ = try await library.record([arrival("B/a", inode: 2)])
        try await work()
        if isCopiedFirst {
            try pass(minutes: minutes)
            try await fixture.forget("A/a")
        }
        #expect(try await packs() == (minutes == 10 ? ["B"] : ["A", "B"]))
        #expect(try await fixture.withdrawn("A") == (minutes == 10 ? ["p.png"] : []))
    }
}

@Suite("Stickers of renamed files")
struct RenamedStickerTests {
    private let fixture = LibraryFixture()

    /// Makes two stickers of the photo `p`, whose files have this name.
    private func makeStickers(_ claim: Claim, file: String = "cat-p", stem: String? = "cat") async throws {
        _ = try await fixture.begin(claim, photo: "p")
        let stickers = (0...1).map { ordinal in
            StickerRecord(
                StickerFacts(width: 5, height: 3, confidence: 0.9), pack: claim.pack, photo: "p", ordinal: ordinal,
                file: "\(file)\(ordinal).png", stem: stem, bytes: 5, sha256: "s", recipe: "r")
        }
        try await fixture.library.finish(claim, as: .made(stickers, result: fixture.result(photo: "p"), stems: ["p"]))
    }

    private func make(_ name: String, file: String = "cat-p", stem: String? = "cat") async throws {
        try await fixture.arrive(name)
        try await makeStickers(fixture.next(), file: file, stem: stem)
    }

    private func expect(_ stem: String?) async throws {
        #expect(try await fixture.library.stickerRecords(ofPack: "").map(\.stem) == [stem, stem])
    }

    @Test("A renamed photo gives all its stickers its new stem, and its pack is written again")
    func renamed() async throws {
        try await make("cat.jpg")
        _ = fixture.library.takeChangedPacks()
        try await fixture.rename("cat.jpg", to: "hello 🐱 \u{202e}.x.jpg")
        try await expect("hello 🐱 \\xe2\\x80\\xae.x")
        #expect(fixture.library.takeChangedPacks() == [ExactName("")])
        try await fixture.rename("hello 🐱 \u{202e}.x.jpg", to: ".jpg")
        try await expect(".jpg")
    }

    @Test("If another file becomes the source of a sticker, the sticker gets that file's stem")
    func inherited() async throws {
        fixture.library.adopt(.withdraw)
        try await make("cat.jpg")
        _ = try await fixture.library.record([LibraryFixture.arrival("dog.jpg", inode: 8)])
        try await fixture.makeSticker(fixture.next(), photo: "p")
        try await expect("cat")
        try await fixture.forget("cat.jpg")
        try await expect("dog")
    }

    @Test("A photo that is renamed while its sticker is made gives it the new stem")
    func meanwhile() async throws {
        try await fixture.arrive("cat.jpg")
        let claim = try await fixture.next()
        try await fixture.rename("cat.jpg", to: "dog.jpg")
        try await makeStickers(claim)
        try await expect("dog")
    }

    @Test("A photo that is renamed over another known one keeps its stickers, with the stem of that name")
    func overwritten() async throws {
        try await make("cat.jpg")
        _ = try await fixture.library.record([LibraryFixture.arrival("dog.jpg", inode: 8)])
        try await fixture.library.finish(fixture.next(), as: .failed(reason: "damaged"))
        try await fixture.rename("cat.jpg", to: "dog.jpg")
        #expect(try await fixture.begin(fixture.next(), photo: "p") == .upToDate)
        try await expect("dog")
    }

    @Test("A photo that moves to another pack and back under another name gives its stickers the new stem")
    func back() async throws {
        try await make("cat.jpg")
        try await fixture.rename("cat.jpg", to: "Cats/cat.jpg")
        try await fixture.rename("Cats/cat.jpg", to: "dog.jpg")
        #expect(try await fixture.claimOne() == nil)
        try await expect("dog")
    }

    @Test(
        "A sticker whose file hides its photo's name has no stem after a rename; one whose name had only emoji has",
        arguments: [(nil, nil), ("🐱", "mine")])
    func hidden(stem: String?, renamed: String?) async throws {
        try await make("secret.jpg", file: "p", stem: stem)
        try await fixture.rename("secret.jpg", to: "mine.jpg")
        try await expect(renamed)
    }

    @Test("If names are to be hidden, a sticker whose file already has one gets no other", arguments: [nil, "cat"])
    func hiddenLater(stem: String?) async throws {
        try await make("cat.jpg", stem: stem)
        try await fixture.library.adopt(keepStem: false)
        try await fixture.rename("cat.jpg", to: "secret.jpg")
        try await expect(stem)
        try await fixture.library.adopt(keepStem: true)
        try await fixture.rename("secret.jpg", to: "dog.jpg")
        try await expect("dog")
    }
}
