import FileNames
import Foundation
import GRDB
import LibraryCommands
@testable import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import SystemPackage
import TestSupport
import Testing

@Suite("Plans for originals")
struct OriginalTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    @Test("Originals tried in this round are left out, but not in the next, whatever the clock says")
    func tried() async throws {
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        try await library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
        for _ in 1...3 {
            let round = try await library.beginRound()
            let due = try #require(try await library.dueOriginals(in: round, limit: 9).first)
            #expect(try await library.postpone(due, in: round) == 1)
            #expect(try await library.dueOriginals(in: round, limit: 9).isEmpty)
        }
    }

    @Test("A photo that is gone when its planned removal is read at a start withdraws nothing")
    func restored() async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"], originals: .delete)
        #expect(try await library.recover().isEmpty)
        #expect(try await library.conclude(fixture.dueOriginal(), as: .gone))
        #expect(try await fixture.stickers() == ["p"])
    }

    @Test("A file recorded as gone that is back unchanged joins the queue")
    func back() async throws {
        try await fixture.make(["a": "p"], originals: .archive)
        let original = try await fixture.dueOriginal()
        #expect(try await library.conclude(original, as: .gone))
        #expect(try await library.known(inFolder: nil).isEmpty)
        #expect(try await fixture.arrive("a") == 1)
        #expect(try await library.known(inFolder: nil).count == 1)
        #expect(try await fixture.claimOne() != nil)
        #expect(try await fixture.arrive("a") == 0)
    }

    @Test("A photo stays until an index lists its sticker: only from that can a lost Library be rebuilt")
    func unlisted() async throws {
        try await fixture.make(["a": "p"], originals: .archive)
        try await library.database.write { try $0.execute(sql: "UPDATE sticker SET listed = 0") }
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
        try await fixture.list()
        #expect(try await fixture.dueOriginal().path == LibraryFixture.path("a"))
    }

    @Test("A photo that is remade during its move keeps its place in the archive", arguments: [true, false])
    func madeAgain(isSettledBefore: Bool) async throws {
        try await fixture.make(["a": "p"], originals: .archive)
        let original = try await fixture.dueOriginal()
        #expect(try await library.recordTarget("/archive/a", for: original))
        try await library.database.write { try $0.execute(sql: "UPDATE file SET state = 'pending'") }
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        if isSettledBefore { #expect(try await library.conclude(original, as: .moved)) }
        try await library.finish(claim, as: .upToDate(), originals: .archive)
        if !isSettledBefore { #expect(try await library.conclude(original, as: .moved)) }
        #expect(try await library.location(of: claim)?.path == "/archive/a")
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    @Test("A photo that is retried, and fails again, while it is moved is known where it is")
    func failedMeanwhile() async throws {
        try await fixture.end("a", photo: "p", as: .failed, originals: .archive)
        let original = try await fixture.dueOriginal()
        #expect(try await library.recordTarget("/failed/a", for: original))
        #expect(try Library.requestRetry(in: fixture.folder.path, of: ["a"]).photos == 1)
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        try await library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
        #expect(try await library.conclude(original, as: .moved, at: "/failed/a"))
        let retry = try Library.requestRetry(in: fixture.folder.path, of: ["a"])
        #expect(retry.toPutBack.map(\.from) == ["/failed/a"])
    }

    @Test("A photo that was moved is not claimed while those are held")
    func held() async throws {
        try await fixture.make(["a": "p"], originals: .archive)
        try await fixture.archive()
        #expect(try await library.remake(["p.png"], inPack: "") == 1)
        try await fixture.arrive("b")
        let claims = try await library.claim(limit: 9, exceptMoved: true)
        #expect(claims.map(\.path.description) == ["b"])
        #expect(try await fixture.claimOne()?.path == LibraryFixture.path("a"))
    }

    @Test("A copy of a photo whose stickers a user removed stays in the inbox")
    func copyOfRemoved() async throws {
        try await fixture.make(["a": "p"])
        _ = try Library.requestRemoval(in: fixture.folder.path, of: [.init("a", isPhoto: true)])
        try await fixture.arrive("b")
        let copy = try await fixture.next()
        _ = try await library.resolve(copy, photo: "p")
        #expect(try await library.finish(copy, as: .upToDate(), originals: .delete)?.state == .duplicate)
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    enum Request: CaseIterable { case retry, restore }

    @Test(
        "Copies of a photo that is made after a request are moved or removed as it is, although they are in no claim again",
        arguments: Request.allCases, [OriginalsMode.archive, .delete])
    func copies(request: Request, mode: OriginalsMode) async throws {
        try await fixture.arrive("a", "b")
        let first = try await fixture.next()
        if request == .retry {
            try await library.remember(recipe: "r", content: "{}")
            _ = try await library.resolve(first, photo: "p")
            try await library.finish(first, as: .failed(reason: "broken"), originals: mode)
        } else {
            try await fixture.makeSticker(first, photo: "p", originals: mode)
        }
        try await fixture.makeSticker(fixture.next(), photo: "p", originals: mode)
        func due() async throws -> [String: OriginalsMode.Action] {
            let originals = try await library.dueOriginals(in: .max, limit: 9)
            return Dictionary(uniqueKeysWithValues: originals.map { ($0.path.description, $0.action) })
        }
        #expect(try await due().keys.sorted() == ["a", "b"])
        if request == .retry {
            _ = try Library.requestRetry(in: fixture.folder.path, of: ["a"])
        } else {
            _ = try Library.requestRemoval(in: fixture.folder.path, of: [.init("a", isPhoto: true)])
            _ = try Library.requestRestoration(in: fixture.folder.path, of: [.init("a", isPhoto: true)])
        }
        #expect(try await due().isEmpty)
        try await fixture.makeSticker(fixture.next(), photo: "p", originals: mode)
        #expect(try await fixture.claimOne() == nil)
        let action = mode == .archive ? OriginalsMode.Action.archive : .remove
        #expect(try await due() == ["a": action, "b": action])
    }

    enum Return: CaseIterable { case crash, stop, release }

    @Test(
        "A copy that was known before the work on it broke off is moved or removed, although a decision ends it without a claim",
        arguments: Return.allCases, [OriginalsMode.archive, .delete])
    func brokenOff(by cause: Return, mode: OriginalsMode) async throws {
        try await library.adopt(originals: mode)
        try await fixture.arrive("a", "b")
        try await fixture.makeSticker(fixture.next(), photo: "p", originals: mode)
        let copy = try await fixture.next()
        _ = try await library.resolve(copy, photo: "p")
        switch cause {
        case .crash: _ = try await library.recover()
        case .stop: try await library.releaseAll()
        case .release: try await library.release(copy)
        }
        let first = try #require(try await library.dueOriginals(in: .max, limit: 9).first)
        #expect(try await library.recordTarget("/archive/a", for: first))
        #expect(try await library.conclude(first, as: mode == .archive ? .moved : .removed))
        if let claim = try await fixture.claimOne() {
            try await library.finish(claim, as: .upToDate(), originals: mode)
        }
        #expect(try await library.dueOriginals(in: .max, limit: 9).map(\.path) == [LibraryFixture.path("b")])
    }

    @Test(
        "A file that was renamed before it could be moved or removed is moved or removed under its new name",
        arguments: ["b", "Trip/a", "Known/a"].flatMap { [($0, true), ($0, false)] }, [OriginalsMode.archive, .delete])
    func renamed(_ rename: (to: String, isMissedFirst: Bool), mode: OriginalsMode) async throws {
        let name = rename.to
        library.adopt(rename.isMissedFirst ? .keep : .withdraw)
        try await library.adopt(originals: mode)
        try await fixture.make(["Known/p": "p"], originals: mode)
        try await fixture.archive()
        try await fixture.make(["a": "p"], originals: mode)
        let original = try await fixture.dueOriginal()
        if rename.isMissedFirst { #expect(try await library.conclude(original, as: .gone)) }
        let (former, new) = (LibraryFixture.path("a"), LibraryFixture.path(name))
        #expect(try await library.formerNames(of: [LibraryFixture.arrival(name)]) == [new: former])
        try await fixture.rename("a", to: name)
        if !rename.isMissedFirst { #expect(try await !library.conclude(original, as: .gone)) }
        if let claim = try await fixture.claimOne() {
            try await fixture.makeSticker(claim, photo: "p", originals: mode)
        }
        #expect(try await library.dueOriginals(in: .max, limit: 9).map(\.path) == [new])
        #expect(try await fixture.stickers() == (name.contains("/") ? [] : ["p"]))
    }

    @Test(
        "Files that could not be moved or removed yet go by the new mode, but one that was moved before a crash",
        arguments: [(.archive, false), (.archive, true), (.delete, false)] as [(OriginalsMode, Bool)],
        OriginalsMode.allCases)
    func mode(_ former: (mode: OriginalsMode, hasMoved: Bool), _ mode: OriginalsMode) async throws {
        let (former, hasMoved) = former
        try await library.adopt(originals: former)
        try await fixture.make(["a": "p", "b": "q"], originals: former)
        try await fixture.end("c", photo: "r", originals: former)
        if former == .archive {
            let target = fixture.folder["archive"]
            #expect(try await library.recordTarget(target, for: fixture.dueOriginal()))
            if hasMoved {
                try fixture.folder.write(Array(repeating: 0, count: 100), to: "archive")
                let times = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 0)]
                try FileManager.default.setAttributes(times, ofItemAtPath: target.string)
            }
        }
        try await library.adopt(originals: mode)
        let due = try await library.dueOriginals(in: .max, limit: 9)
        let actions = Dictionary(uniqueKeysWithValues: due.map { ($0.path.description, $0.action) })
        var expected = ["a": FileState.done, "b": .done, "c": .noSubject].compactMapValues { mode.action(for: $0) }
        if former == .archive, hasMoved { expected["a"] = .archive }
        #expect(actions == expected)
    }

    @Test(
        """
        A photo that is put back from the folder of failed photos is tried again, although a copy is there, too; \
        if it gets a sticker, the copy can be put back
        """, arguments: [FileState.failed, .noSubject], [true, false])
    func putBack(state: FileState, isMade: Bool) async throws {
        for name in ["a", "b"] {
            try await fixture.end(name, photo: "p", as: state, originals: .delete)
            try await fixture.archive()
        }
        try await library.remember(recipe: "new", content: "{}")
        try await fixture.arrive("b", version: 2)
        let claim = try await fixture.next()
        let resolution = try await library.resolve(claim, photo: "p")
        #expect(resolution.kind == .work)
        let made = Ending.made([fixture.record(photo: "p")], result: fixture.result(photo: "p"), stems: ["p"])
        try await library.finish(claim, as: isMade ? made : .failed(reason: "again"), originals: .delete)
        try await fixture.list()
        let retry = try Library.requestRetry(in: fixture.folder.path, of: ["a"])
        #expect(retry.toPutBack.map(\.from) == ["/archive/a"] && retry.refused.isEmpty)
        #expect(try await fixture.claimOne() == nil)
        #expect(try await library.dueOriginals(in: .max, limit: 9).map(\.path) == [LibraryFixture.path("b")])
    }

    @Test("A file that was renamed stays in the inbox if it was to stay, or if a user removed its stickers")
    func renamedToStay() async throws {
        try await fixture.make(["a": "p"])
        try await library.adopt(originals: .archive)
        try await fixture.rename("a", to: "b")
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
        _ = try Library.requestRemoval(in: fixture.folder.path, of: [.init("b", isPhoto: true)])
        try await fixture.rename("b", to: "Trip/b")
        #expect(try await fixture.claimOne() == nil)
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    @Test("A photo whose name gets another one before it is to be moved anywhere has left")
    func replaced() async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"], originals: .archive)
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "q", originals: .archive)
        #expect(try await fixture.stickers() == ["q"])
    }

    @Test("A file's hash is not recorded for another file that has taken its name meanwhile")
    func overtaken() async throws {
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        try await fixture.arrive("a", version: 2)
        _ = try await library.resolve(claim, photo: "p")
        let photos = try await library.database.read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM file WHERE photo IS NOT NULL")
        }
        #expect(photos == 0)
    }
}
