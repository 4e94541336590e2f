import PhotoLibrary
import PhotoLikeness
import TestSupport
import Testing

@Suite("Skipped near-duplicates")
struct LookalikeTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
        fixture.library.adopt(.withdraw)
    }

    private func likeness() throws -> PerceptualHash {
        try #require(PerceptualHash(bytes: [UInt8](repeating: 0xA5, count: PerceptualHash.byteCount)))
    }

    private func claim(_ name: String, photo: String) async throws -> Claim {
        try await fixture.arrive(name)
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.resolve(claim, photo: photo)
        return claim
    }

    /// Makes a sticker of a photo with the given perceptual hash.
    private func make(_ name: String, photo: String) async throws {
        let claim = try await claim(name, photo: photo)
        _ = try await fixture.library.folder(ofPack: "", candidates: [""])
        let result = fixture.result(photo: photo, likeness: try likeness())
        try await fixture.library.finish(
            claim, as: .made([fixture.record(photo: photo)], result: result, stems: [photo]))
    }

    private func like(ofPhoto photo: String) async throws -> SimilarPhoto {
        let like = try await fixture.library.firstNearDuplicate(of: try likeness(), ofPhoto: photo, inPack: "")
        return try #require(like)
    }

    private func skip(_ name: String, photo: String) async throws {
        let claim = try await claim(name, photo: photo)
        let like = try await like(ofPhoto: photo)
        try await fixture.library.finish(claim, as: .nearDuplicate(of: like))
    }

    private func remove(_ name: String) async throws {
        try await fixture.library.forget([LibraryFixture.path(name)])
    }

    /// The name of the next file in the queue.
    private func next() async throws -> String? {
        let claim = try await fixture.claimOne()
        return claim?.path.description
    }

    private func count(_ state: FileState) async throws -> Int {
        try await fixture.library.status().photos[state, default: 0]
    }

    @Test("Skipped photos are requeued when the photo they resemble is withdrawn, even a copy of one that is gone")
    func copies() async throws {
        try await make("a", photo: "p")
        try await skip("b", photo: "q")
        try await skip("b2", photo: "q")
        try await remove("b")
        #expect(try await count(.duplicate) == 1)
        #expect(try await count(.noSubject) == 0)
        try await remove("a")
        #expect(try await count(.pending) == 1)
        #expect(try await next() == "b2")
    }

    @Test("… or when a remake finds no subject in it")
    func withoutSubject() async throws {
        try await make("a", photo: "p")
        try await skip("b", photo: "q")
        _ = try PhotoLibrary.requestRemake(in: fixture.folder.path, otherThan: "new")
        let again = try #require(try await fixture.claimOne())
        #expect(again.path == LibraryFixture.path("a"))
        try await fixture.library.finish(again, as: .noSubject(fixture.result(photo: "p"), stems: ["p"]))
        #expect(try await next() == "b")
    }

    @Test("… or when it is removed between the search and the end")
    func between() async throws {
        try await make("a", photo: "p")
        let claim = try await claim("b", photo: "q")
        let like = try await like(ofPhoto: "q")
        try await remove("a")
        try await fixture.library.finish(claim, as: .nearDuplicate(of: like), originals: .archive)
        #expect(try await count(.pending) == 1)
        #expect(try await next() == "b")
    }

    @Test("They stay skipped while that photo's sticker is missing from the outbox")
    func missing() async throws {
        try await make("a", photo: "p")
        try await skip("b", photo: "q")
        #expect(try await fixture.library.remake(["p.png"], inPack: "") == 1)
        #expect(try await next() == "a")
        try await fixture.arrive("b2")
        let copy = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(copy, photo: "q") else {
            Issue.record("It would get a sticker of its own")
            return
        }
        #expect(try await next() == nil)
    }
}
