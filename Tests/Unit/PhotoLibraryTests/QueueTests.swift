import LibraryCommands
import PhotoLibrary
import PhotoRule
import TestSupport
import Testing

@Suite("The queue")
struct QueueTests {
    @Test("A released file returns to its place, and the attempt does not count")
    func release() async throws {
        let fixture = LibraryFixture()
        try await fixture.arrive("a", "b")
        let claim = try await fixture.next()
        try await fixture.library.release(claim)
        let again = try await fixture.next()
        #expect(again.path == claim.path)
        #expect(again.attempts == 1)
    }

    @Test("The queue is empty when no file is waiting or in progress")
    func drained() async throws {
        let fixture = LibraryFixture()
        func isDrained() async throws -> Bool { try await fixture.library.status().isDrained }
        #expect(try await isDrained())
        try await fixture.arrive("a")
        #expect(try await !isDrained())
        let claim = try await fixture.next()
        #expect(try await !isDrained())
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await isDrained())
    }

    @Test("The status is readable while the daemon runs and after it")
    func status() async throws {
        let folder = TemporaryFolder()
        do {
            let fixture = try LibraryFixture(in: folder)
            try await fixture.arrive("a")
            #expect(try Library.status(in: folder.path).photos[.pending] == 1)
        }
        #expect(try Library.status(in: folder.path).photos[.pending] == 1)
        let error = #expect(throws: LibraryError.self) { try Library.status(in: TemporaryFolder().path) }
        #expect(error?.code == .missing)
    }
}
