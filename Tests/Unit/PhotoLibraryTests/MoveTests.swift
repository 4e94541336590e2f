import Foundation
import GRDB
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

/// What becomes of stickers whose photos move between packs. By default, stickers of removed photos stay.
@Suite("Photos that move to another pack")
struct MoveTests {
    private let fixture: LibraryFixture
    private var library: PhotoLibrary { fixture.library }

    init() throws {
        fixture = try LibraryFixture()
    }

    private func path(_ name: String) -> InboxPath { LibraryFixture.path(name) }

    private func arrival(_ name: String, inode: UInt64, changed: Int64 = 1) -> Arrival {
        let identity = FileIdentity(device: 1, inode: inode, size: 100, modified: 1, changed: changed)
        return Arrival(path: path(name), identity: identity, verdict: .ready)
    }

    private func arrive(_ name: String, inode: UInt64, changed: Int64 = 1) async throws {
        _ = try await library.record([arrival(name, inode: inode, changed: changed)])
    }

    /// Gives a file another path, as the Inbox does.
    private func move(inode: UInt64, to name: String) async throws {
        let arrivals = [arrival(name, inode: inode, changed: 2)]
        let former = try await library.formerNames(of: arrivals)
        _ = try await library.record(arrivals, renamed: former)
        try await library.forget(Array(former.values))
    }

    /// Works on every file in the queue, as the Processor does. All have the same photo.
    private func work(recipe: String = "r") async throws {
        try await library.remember(recipe: recipe, content: "{}")
        while let claim = try await fixture.claimOne() {
            _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
            switch try await library.resolve(claim, photo: "p") {
            case .settled: try await library.finish(claim, as: .settled())
            case .copy(let stickers):
                let copies = stickers.map { $0.copied(toPack: claim.pack, as: $0.file, thumbnail: nil) }
                try await library.finish(claim, as: .copied(copies, stems: ["p"]))
            case .work: try await fixture.makeSticker(claim, photo: "p", added: .now)
            }
        }
        try await fixture.list()
    }

    /// The packs, of A, B and C, that have the sticker.
    private var packs: [String] {
        get async throws {
            var packs: [String] = []
            for pack in ["A", "B", "C"] where try await !library.stickerRecords(ofPack: pack).isEmpty {
                packs.append(pack)
            }
            return packs
        }
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

    @Test("A sticker made with other settings moves as it is")
    func otherRecipe() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        let claim = try #require(try await fixture.claimOne())
        try await library.remember(recipe: "new", content: "{}")
        guard case .copy(let stickers) = try await library.resolve(claim, photo: "p") else {
            Issue.record("The sticker would be made again")
            return
        }
        #expect(stickers.map(\.recipe) == ["r"])
    }

    @Test("A sticker stays in a pack that still has another file of its photo, and that file becomes its source")
    func copyStays() async throws {
        try await arrive("A/a", inode: 1)
        try await arrive("A/b", inode: 2)
        try await work()
        try await move(inode: 1, to: "B/a")
        try await work()
        #expect(try await packs == ["A", "B"])
        try await move(inode: 2, to: "B/b")
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test(
        "A photo that is moved on while it is looked for under its former name waits for its sticker again",
        arguments: [WhenPhotoRemoved.withdraw, .keep])
    func movedInProgress(_ rule: WhenPhotoRemoved) async throws {
        library.adopt(rule)
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        let claim = try #require(try await fixture.claimOne())
        let arrivals = [arrival("C/a", inode: 1, changed: 3)]
        let former = try await library.formerNames(of: arrivals)
        #expect(former == [path("C/a"): path("B/a")])
        // It is not found under B/a before the move to C/a is recorded.
        try await library.abandon(claim)
        #expect(try await library.record(arrivals, renamed: former) == 1)
        try await library.forget([path("B/a")])
        try await work()
        #expect(try await packs == ["C"])
    }

    @Test("The end of a claim marks the pack that the photo came from, too, to be written")
    func changedPacks() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        let claim = try #require(try await fixture.claimOne())
        _ = try await library.resolve(claim, photo: "p")
        _ = library.takeChangedPacks()
        try await library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await packs == [])
        #expect(library.takeChangedPacks() == ["A", "B"])
    }

    @Test("A copy that was removed earlier does not keep the sticker in the pack")
    func removedCopy() async throws {
        try await arrive("A/a", inode: 1)
        try await arrive("A/b", inode: 2)
        try await work()
        try await library.forget([path("A/b")])
        try await move(inode: 1, to: "B/a")
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test("A photo that is moved while it waits for its remake takes its sticker along")
    func waiting() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: nil)
        try await move(inode: 1, to: "B/a")
        #expect(try await packs == ["A"])
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test("A photo that moves over another file of the other pack takes its sticker along")
    func over() async throws {
        try await arrive("B/a", inode: 2)
        try await library.finish(try #require(try await fixture.claimOne()), as: .failed(reason: "no photo"))
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test("The sticker stays until the photo has one in the other pack, whatever happens there first")
    func failed() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        let claim = try #require(try await fixture.claimOne())
        _ = try await library.resolve(claim, photo: "p")
        try await library.finish(claim, as: .failed(reason: "permission denied"))
        #expect(try await packs == ["A"])
        _ = try PhotoLibrary.requestRetry(in: fixture.folder.path, of: ["B/a"])
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test("A photo that is moved and then removed before its turn keeps its sticker where that was made")
    func removedBeforeItsTurn() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await move(inode: 1, to: "B/a")
        try await library.forget([path("B/a")])
        #expect(try await packs == ["A"])
    }

    @Test("A photo without a subject moves its colors")
    func withoutSubject() async throws {
        try await arrive("A/a", inode: 1)
        let claim = try #require(try await fixture.claimOne())
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.resolve(claim, photo: "p")
        try await library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["a"]))
        try await move(inode: 1, to: "B/a")
        #expect(try await library.duePalettes(ofPack: "A", limit: 9).isEmpty)
        #expect(try await library.duePalettes(ofPack: "B", limit: 9).map(\.stem) == ["a"])
    }

    // MARK: - The same bytes as another file, as sync clients move photos

    @Test("A photo that is removed from one pack and arrives in another within minutes has moved")
    func removedThenBack() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await library.forget([path("A/a")])
        try pass(minutes: 10)
        try await arrive("B/a", inode: 2)
        try await work()
        #expect(try await packs == ["B"])
    }

    @Test("… and hours later it has not")
    func removedLongAgo() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try await library.forget([path("A/a")])
        try pass(minutes: 60)
        try await arrive("B/a", inode: 2)
        try await work()
        #expect(try await packs == ["A", "B"])
    }

    @Test("A photo that is copied to another pack and then removed from the first has moved")
    func copiedThenRemoved() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try pass(minutes: 60)
        try await arrive("B/a", inode: 2)
        try await work()
        #expect(try await packs == ["A", "B"])
        try pass(minutes: 10)
        try await library.forget([path("A/a")])
        #expect(try await packs == ["B"])
        #expect(try await library.summary(ofPack: "A", listed: 0).withdrawn == ["p.png"])
        #expect(try await library.status().photos[.done] == 1)
    }

    @Test("A photo that was in both packs for long keeps its sticker in a pack that it is removed from")
    func inBoth() async throws {
        try await arrive("A/a", inode: 1)
        try await work()
        try pass(minutes: 60)
        try await arrive("B/a", inode: 2)
        try await work()
        try pass(minutes: 60)
        try await library.forget([path("A/a")])
        #expect(try await packs == ["A", "B"])
    }

    @Test("A photo that was put into two packs and is removed from both keeps both stickers")
    func cleanedUp() async throws {
        try await arrive("A/a", inode: 1)
        try await arrive("B/a", inode: 2)
        try await work()
        try await library.forget([path("A/a")])
        try await library.forget([path("B/a")])
        #expect(try await packs == ["A", "B"])
    }

    @Test("Removing one of two hard links in two packs is no move")
    func linked() async throws {
        try await arrive("A/a", inode: 1)
        try await arrive("B/a", inode: 1)
        try await work()
        // unlink(2) changes the other link's change time, which arrives first.
        let touched = arrival("B/a", inode: 1, changed: 2)
        #expect(try await library.formerNames(of: [touched]).isEmpty)
        try await arrive("B/a", inode: 1, changed: 2)
        try await library.forget([path("A/a")])
        try await work()
        #expect(try await packs == ["A", "B"])
    }
}
