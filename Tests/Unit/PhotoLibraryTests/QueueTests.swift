import PhotoLibrary
import PhotoRule
import Testing

@Suite("The queue")
struct QueueTests {
    @Test("A released file returns to its place, and the attempt does not count")
    func release() async throws {
        let fixture = try LibraryFixture()
        try await fixture.arrive("a", "b")
        let claim = try await fixture.next()
        try await fixture.library.release(claim)
        let again = try await fixture.next()
        #expect(again.path == claim.path)
        #expect(again.attempts == 1)
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
        let failing = try await fixture.next()
        try await fixture.library.finish(failing, as: .failed(reason: "broken"))
        let made = try await fixture.next()
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
        let claim = try await fixture.next()
        #expect(try await !isDrained())
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await isDrained())
    }
}
