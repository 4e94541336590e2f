import Foundation
import GRDB
@testable import PhotoLibrary
import SystemPackage
import Testing

@Suite("Plans for originals")
struct OriginalTests {
    @Test("Originals tried in this round are left out, but not in the next, whatever the clock says")
    func tried() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
        for _ in 1...3 {
            let round = try await fixture.library.beginRound()
            let due = try #require(try await fixture.library.dueOriginals(in: round, limit: 9).first)
            #expect(try await fixture.library.postpone(due, in: round) == 1)
            #expect(try await fixture.library.dueOriginals(in: round, limit: 9).isEmpty)
        }
    }

    /// A file whose move to the archive is recorded but not done.
    private func moving(_ fixture: LibraryFixture) async throws -> (Claim, Original) {
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.makeSticker(claim, photo: "p", originals: .archive)
        return (claim, try #require(try await fixture.library.dueOriginals(in: .max, limit: 9).first))
    }

    @Test("A file recorded as gone that is back unchanged joins the queue")
    func back() async throws {
        let fixture = try LibraryFixture()
        let (_, original) = try await moving(fixture)
        #expect(try await fixture.library.settle(original, as: .gone))
        #expect(try await fixture.library.known(inFolder: nil).isEmpty)
        #expect(try await fixture.arrive("a") == 1)
        #expect(try await fixture.library.known(inFolder: nil).count == 1)
        #expect(try await fixture.claimOne() != nil)
        #expect(try await fixture.arrive("a") == 0)
    }

    @Test("A photo that is remade during its move keeps its place in the archive", arguments: [true, false])
    func madeAgain(isSettledBefore: Bool) async throws {
        let fixture = try LibraryFixture()
        let (_, original) = try await moving(fixture)
        #expect(try await fixture.library.recordTarget("/archive/a", for: original))
        try await fixture.library.database.write { try $0.execute(sql: "UPDATE file SET state = 'pending'") }
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(claim, photo: "p")
        if isSettledBefore { #expect(try await fixture.library.settle(original, as: .moved)) }
        try await fixture.library.finish(claim, as: .settled, originals: .archive)
        if !isSettledBefore { #expect(try await fixture.library.settle(original, as: .moved)) }
        #expect(try await fixture.library.location(of: claim)?.path == "/archive/a")
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    @Test("A file's hash is not recorded for another file that has taken its name meanwhile")
    func overtaken() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.arrive("a", version: 2)
        _ = try await fixture.library.resolve(claim, photo: "p")
        let photos = try await fixture.library.database.read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM file WHERE photo IS NOT NULL")
        }
        #expect(photos == 0)
    }
}
