import FileNames
import Foundation
import GRDB
import LibraryCommands
import PackLedger
@testable import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import SystemPackage
import TestSupport
import Testing

@Suite("The history of photos that left the inbox")
struct HistoryTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    private var nextYear: Date { .now + 366 * 86_400 }

    /// Makes a photo's sticker and moves the photo to the archive.
    private func archive(_ name: String, photo: String) async throws {
        try await fixture.make([name: photo], originals: .archive)
        try await fixture.archive()
    }

    private func tally(_ files: String = "COUNT(*)", of table: String = "file") async throws -> [String: Int] {
        try await library.database.read { database in
            try Row.fetchAll(database, sql: "SELECT state, \(files) AS files FROM \(table) GROUP BY state")
                .reduce(into: [:]) { $0[$1["state"]] = $1["files"] }
        }
    }

    private func requireTallies() async throws {
        let counted = try await tally()
        for state in FileState.allCases {
            #expect(try await fixture.count(state) == counted[state.rawValue, default: 0])
        }
        #expect(try await tally("SUM(files)", of: "packTally").filter { $0.value != 0 } == counted)
    }

    @Test("A rescan reads no photos that left the inbox, but those that came back")
    func walk() async throws {
        try await archive("Trip/a", photo: "p")
        #expect(try await library.knownFolders().isEmpty)
        #expect(try await library.known(inFolder: LibraryFixture.path("Trip")).isEmpty)
        try await fixture.arrive("Trip/a", version: 2)
        #expect(try await library.knownFolders().map { $0?.description } == ["Trip"])
        #expect(try await library.known(inFolder: LibraryFixture.path("Trip")).count == 1)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        try await fixture.forget("Trip/a")
        #expect(try await library.knownFolders().isEmpty)
        try await fixture.arrive("Trip/a", version: 2)
        #expect(try await library.knownFolders().count == 1)
    }

    @Test("A file that came and went several times in a row is forgotten once", arguments: [true, false])
    func leftRepeatedly(isPhoto: Bool) async throws {
        let verdict = isPhoto ? Arrival.Verdict.ready : .ignored(reason: "no photo")
        let path = LibraryFixture.path("a")
        _ = try await library.record([Arrival(path: path, identity: LibraryFixture.identity(), verdict: verdict)])
        try await fixture.forget("a", "a")
        #expect(try await tally().isEmpty)
    }

    @Test("Old history is deleted; the photos' results are kept")
    func forgotten() async throws {
        try await archive("a", photo: "p")
        try await archive("b", photo: "q")
        try await fixture.arrive("c")
        #expect(try await library.forgetHistory(before: .now - 60, limit: 9) == 0)
        #expect(try await library.forgetHistory(before: nextYear, limit: 1) == 1)
        #expect(try await library.forgetHistory(before: nextYear, limit: 9) == 1)
        #expect(try await library.forgetHistory(before: nextYear, limit: 9) == 0)
        #expect(try PhotoStory.read(of: "a", in: fixture.folder.path) == nil)
        #expect(try await library.status().photos[.done] == 0)
        #expect(try await library.status().stickers == 2)
        try await requireTallies()
        #expect(try await tally() == ["pending": 1])
        let inspection = try LibraryInspection(of: fixture.folder.path)
        #expect(inspection.undecided.isEmpty)
        #expect(inspection.packs.first?.published.map(\.photo) == ["p", "q"])
    }

    @Test("A photo whose history was deleted is recognized, not remade, and keeps its place in the pack")
    func recognised() async throws {
        try await archive("a", photo: "p")
        try await archive("b", photo: "q")
        _ = try await library.forgetHistory(before: nextYear, limit: 9)
        try await fixture.arrive("later", version: 3)
        let claim = try await fixture.next()
        // Two stickers with the same number would break the pages of the index.
        #expect(claim.arrival > 2)
        #expect(try await fixture.begin(claim, photo: "p") == .upToDate)
        try await library.finish(claim, as: .upToDate(), originals: .archive)
        #expect(try await library.stickerRecords(ofPack: "").map(\.photo) == ["p", "q"])
        // A copy of it is a duplicate of that file.
        try await fixture.arrive("copy", version: 4)
        let copy = try await fixture.next()
        #expect(try await fixture.begin(copy, photo: "p") == .upToDate)
        #expect(try await library.finish(copy, as: .upToDate())?.reason == "duplicate of later")
        let story = try #require(try PhotoStory.read(of: "later", in: fixture.folder.path))
        let seen = try #require(story.file.seen)
        #expect(try #require(story.photo?.firstSeen) < seen)
        #expect(story.stickers.count == 1)
        try await requireTallies()
    }

    @Test("A photo that leaves nothing behind is deleted with its results, except while work on it is under way")
    func nothingLeft() async throws {
        let rows = {
            try await library.database.read { try String.fetchAll($0, sql: "SELECT photo FROM result ORDER BY photo") }
        }
        for (name, photo) in [("a", "p"), ("b", "q"), ("c", "removed")] { try await fixture.end(name, photo: photo) }
        try await fixture.make(["d": "made"])
        _ = try Library.requestRemoval(in: fixture.folder.path, of: [.init("c", isPhoto: true)])
        #expect(try await rows() == ["made", "p", "q", "removed"])
        try await fixture.forget("a", "b", "c", "d")
        // It may come back soon, in another pack, too.
        #expect(try await rows().count == 4)
        try await fixture.arrive("a", version: 2)
        let claim = try await fixture.next()
        #expect(try await fixture.begin(claim, photo: "p") == .upToDate)
        _ = try await library.forgetHistory(before: nextYear, limit: 9)
        #expect(try await rows() == ["made", "p", "removed"])
        let arrival = Arrival(path: claim.path, identity: LibraryFixture.identity(3), verdict: .ignored(reason: "text"))
        _ = try await library.record([arrival])
        _ = try await library.forgetHistory(before: nextYear, limit: 9)
        #expect(try await rows() == ["made", "p", "removed"])
        try await library.finish(claim, as: .noSubject(fixture.result(photo: "p"), stems: ["n"]))
        #expect(try await rows() == ["made", "removed"])
    }

    @Test("However long daemons run, few marks of time are kept")
    func marks() throws {
        var marks = HistoryMarks()
        for step in 1...10_000 {
            let age = step < 5000 ? 8_640_000.0 : 86_400
            _ = marks.advance(by: 9600, to: .distantPast + Double(step) * 9600, age: age)
        }
        #expect(try JSONEncoder().encode(marks).count < 3000)
    }

    @Test("The history of a photo in the folder of failed photos stays, so that a retry can put it back")
    func failedKept() async throws {
        try await fixture.arrive("text.jpg")
        let claim = try await fixture.next()
        try await library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
        let original = try await fixture.dueOriginal()
        #expect(try await library.recordTarget("/failed/text.jpg", for: original))
        #expect(try await library.conclude(original, as: .moved))
        #expect(try await library.forgetHistory(before: nextYear, limit: 9) == 0)
        let retry = try Library.requestRetry(in: fixture.folder.path, of: ["text.jpg"])
        #expect(retry.toPutBack.map(\.from) == ["/failed/text.jpg"])
    }

    @Test("An arrival number is used only once, even if the newest file is forgotten")
    func numberedOnce() async throws {
        try await fixture.arrive("a", "b")
        try await library.forget([LibraryFixture.path("b")])
        try await fixture.arrive("c")
        #expect(try await library.claim(limit: 9).map(\.arrival) == [1, 3])
    }

    @Test("Stickers of an earlier release that share a number are all in the index")
    func onePlace() async throws {
        try await archive("a", photo: "p")
        try await archive("b", photo: "q")
        try await library.database.write { try $0.execute(sql: "UPDATE sticker SET arrival = 1") }
        #expect(try await library.stickers(ofPack: "").map(\.sticker.photo) == ["p", "q"])
    }

    @Test("Moves of earlier photos are deleted even if their names are still in use")
    func sameName() async throws {
        try await archive("scan", photo: "p")
        try await fixture.arrive("scan", version: 2)
        let count = { try await library.database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM original") } }
        #expect(try await count() == 1)
        #expect(try await library.forgetHistory(before: nextYear, limit: 9) == 1)
        #expect(try await count() == 0)
        #expect(try await tally() == ["pending": 1])
    }
}
