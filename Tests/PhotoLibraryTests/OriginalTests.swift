// What is inside a module is open to tests in debug builds only.
#if DEBUG
import Foundation
import GRDB
@testable import PhotoLibrary
import Testing

@Suite("What is to become of a file in the inbox")
struct OriginalTests {
    @Test("What was tried is left out for this round, but not what was tried in the future: the clock was set back")
    func tried() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.finish(claim, as: .failed(reason: "broken"), originals: .archive)
        let start = Date.now
        let due = try #require(try await fixture.library.dueOriginals(notTriedSince: start, limit: 9).first)
        try await fixture.library.postpone(due)
        #expect(try await fixture.library.dueOriginals(notTriedSince: start, limit: 9).isEmpty)
        try await fixture.library.database.write { database in
            try database.execute(sql: "UPDATE original SET tried = ?", arguments: [Date.now + 3600])
        }
        #expect(try await fixture.library.dueOriginals(notTriedSince: start, limit: 9).count == 1)
    }
}
#endif
