import LinuxIO
import PhotoLibrary
import Testing

@Suite("The queue")
struct QueueTests {
    @Test("Files are claimed once, in order of arrival")
    func order() async throws {
        let fixture = try LibraryFixture()
        #expect(try await fixture.arrive("b", "a", "c") == 3)
        let claims = try await fixture.library.claim(limit: 2)
        #expect(claims.map(\.path.description) == ["b", "a"])
        #expect(try await fixture.library.claim(limit: 5).map(\.path.description) == ["c"])
        #expect(try await fixture.library.claim(limit: 5).isEmpty)
    }

    @Test("A known file is unchanged; a changed one rejoins the queue at its end")
    func again() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        #expect(try await fixture.arrive("a") == 0)
        #expect(try await fixture.arrive("a", version: 2) == 1)
        #expect(try await fixture.library.claim(limit: 5).map(\.path.description) == ["b", "a"])
    }

    @Test("A released file returns to its place, and the attempt does not count")
    func release() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.release(claim)
        let again = try #require(try await fixture.claimOne())
        #expect(again.path == claim.path)
        #expect(again.attempts == 1)
    }

    @Test("Finishing a claim does not finish a file that arrived again meanwhile")
    func replacedInProgress() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a")
        let old = try #require(try await fixture.claimOne())
        try await fixture.arrive("a", version: 2)
        try await fixture.library.finish(old, as: .failed(reason: "old"))
        #expect(try await fixture.library.status().photos[.pending] == 1)
        let new = try #require(try await fixture.claimOne())
        #expect(new.identity == LibraryFixture.identity(2))
    }

    @Test("The counts cover every state, zeros included, and their sum is the number of files")
    func counts() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b", "c", "d")
        _ = try await fixture.library.record([
            Arrival(
                path: LibraryFixture.path(".x"), identity: LibraryFixture.identity(),
                verdict: .ignored(reason: "hidden"))
        ])
        let failing = try #require(try await fixture.claimOne())
        try await fixture.library.finish(failing, as: .failed(reason: "broken"))
        let made = try #require(try await fixture.claimOne())
        try await fixture.makeSticker(made, photo: "p")
        _ = try await fixture.claimOne()
        let status = try await fixture.library.status()
        #expect(Set(status.photos.keys) == Set(FileState.allCases))
        #expect(
            status.photos.filter { $0.value != 0 } == [.pending: 1, .processing: 1, .done: 1, .failed: 1, .ignored: 1])
        #expect(status.stickers == 1)
        #expect(!status.isDrained)
    }

    @Test("The queue is empty when no file is waiting or in progress")
    func drained() async throws {
        let fixture = try LibraryFixture()
        func isDrained() async throws -> Bool {
            let isDrained = try await fixture.library.isDrained()
            #expect(try await fixture.library.status().isDrained == isDrained)
            return isDrained
        }
        #expect(try await isDrained())
        try await fixture.arrive("a")
        #expect(try await !isDrained())
        let claim = try #require(try await fixture.claimOne())
        #expect(try await !isDrained())
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await isDrained())
    }

    @Test("A pending file that disappears is forgotten; a finished one stays as history")
    func forget() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "p")
        try await fixture.library.forget([LibraryFixture.path("a"), LibraryFixture.path("b")])
        let photos = try await fixture.library.status().photos
        #expect(photos[.done] == 1)
        #expect(photos[.pending] == 0)
    }
}
