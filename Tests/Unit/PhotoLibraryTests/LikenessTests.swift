import FileNames
import Foundation
import GRDB
import LibraryCommands
@testable import PhotoLibrary
import PhotoLikeness
import PhotoRule
import SQLiteDatabase
import TestSupport
import Testing

@Suite("Near-duplicates in the Library")
struct LikenessTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    init() { fixture.library.adopt(.withdraw) }

    /// A distinct perceptual hash for each seed, far from all others; `flipping` inverts bits, spread over all words.
    private func likeness(_ seed: UInt64, flipping flips: Int = 0) throws -> PerceptualHash {
        var random = TestRandom(state: (seed + 1) &* 0x9e37_79b9_7f4a_7c15)
        var bytes = (0..<PerceptualHash.byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for flip in 0..<flips {
            let bit = flip * 37 % PerceptualHash.bitCount
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        return try #require(PerceptualHash(bytes: bytes))
    }

    private func begin(_ name: String, photo: String) async throws -> Claim {
        try await fixture.arrive(name)
        let claim = try await fixture.next()
        _ = try await fixture.begin(claim, photo: photo)
        return claim
    }

    private func make(_ name: String, photo: String, _ likeness: PerceptualHash) async throws {
        let claim = try await begin(name, photo: photo)
        let result = fixture.result(photo: photo, likeness: likeness)
        try await library.finish(
            claim, as: .made([fixture.record(photo: photo, pack: claim.pack)], result: result, stems: [photo]))
    }

    private func firstNearDuplicate(
        _ likeness: PerceptualHash, of photo: String = "new", pack: String = ""
    ) async throws -> SimilarPhoto? {
        try await library.firstNearDuplicate(of: likeness, ofPhoto: photo, inPack: pack)
    }

    @Test("Only near-duplicates of an earlier photo are found")
    func found() async throws {
        try await make("a.jpg", photo: "p", try likeness(1))
        let like = try #require(try await firstNearDuplicate(try likeness(1, flipping: 12)))
        #expect(like.photo == "p")
        #expect(like.path == LibraryFixture.path("a.jpg"))
        #expect(like.sticker == "p.png")
        #expect(like.distance == 12)
        #expect(like.description == "near-duplicate of a.jpg (12 of 256 bits differ)")
        #expect(try await firstNearDuplicate(try likeness(2)) == nil)
        #expect(try await firstNearDuplicate(try likeness(1, flipping: PerceptualHash.alike + 1)) == nil)
    }

    @Test("A photo that is forgotten is never taken for a later one")
    func forgotten() async throws {
        try await make("a", photo: "p", try likeness(1))
        #expect(try await firstNearDuplicate(try likeness(1))?.photo == "p")
        try await fixture.forget("a")
        try await fixture.list()
        _ = try await library.forgetHistory(before: .now + 366 * 86_400, limit: 9)
        try await make("b", photo: "q", try likeness(2))
        #expect(try await firstNearDuplicate(try likeness(1)) == nil)
        #expect(try await firstNearDuplicate(try likeness(2))?.photo == "q")
    }

    @Test("All photos of a burst refer to its first; if that is gone, the next takes its place")
    func first() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await make("b", photo: "q", try likeness(1, flipping: 10))
        try await make("c", photo: "r", try likeness(9))
        #expect(try await firstNearDuplicate(try likeness(1, flipping: 11))?.photo == "p")
        #expect(try await firstNearDuplicate(try likeness(9, flipping: 1))?.photo == "r")
        #expect(try await library.like(ofPhoto: "q", inPack: "")?.sticker == "p.png")
        for photo in ["p", "r"] { #expect(try await library.like(ofPhoto: photo, inPack: "") == nil) }
        _ = try await library.remake(["p.png"], inPack: "")
        #expect(try await firstNearDuplicate(try likeness(1))?.photo == "q")
        #expect(try await library.like(ofPhoto: "q", inPack: "") == nil)
        _ = try await library.remake(["q.png"], inPack: "")
        #expect(try await firstNearDuplicate(try likeness(1)) == nil)
    }

    @Test("A sticker of another pack makes no near-duplicate")
    func otherPack() async throws {
        try await make("Cats/a", photo: "p", try likeness(1))
        #expect(try await firstNearDuplicate(try likeness(1)) == nil)
        #expect(try await firstNearDuplicate(try likeness(1), pack: "Cats")?.photo == "p")
        try await make("b", photo: "q", try likeness(1, flipping: 3))
        #expect(try await firstNearDuplicate(try likeness(1))?.photo == "q")
    }

    @Test(
        "A photo that had a sticker is no near-duplicate, even if it was made while near-duplicates were off",
        arguments: [true, false])
    func itself(hasLikeness: Bool) async throws {
        try await make("a", photo: "p", try likeness(1))
        if hasLikeness {
            try await make("b", photo: "q", try likeness(1, flipping: 10))
        } else {
            try await fixture.make(["b": "q"])
        }
        #expect(try await firstNearDuplicate(try likeness(1), of: "q") == nil)
    }

    @Test(
        "… in a pack that it was moved from; a photo that is still there, too, is a near-duplicate",
        arguments: [false, true])
    func moved(isCopied: Bool) async throws {
        try await make("B/a", photo: "p", try likeness(1))
        try await fixture.make(["A/b": "q"])
        if isCopied { try await fixture.arrive("B/b") } else { try await fixture.rename("A/b", to: "B/b", changed: 1) }
        #expect(try await firstNearDuplicate(try likeness(1), of: "q", pack: "B")?.photo == (isCopied ? "p" : nil))
    }

    @Test("A photo without a subject has no near-duplicates")
    func noSubject() async throws {
        let claim = try await begin("a", photo: "p")
        let result = fixture.result(photo: "p", confidence: 0, likeness: try likeness(1))
        try await library.finish(claim, as: .noSubject(result, stems: ["p"]))
        #expect(try await firstNearDuplicate(try likeness(1)) == nil)
    }

    // MARK: - Skipped near-duplicates

    private func like(ofPhoto photo: String) async throws -> SimilarPhoto {
        try #require(try await firstNearDuplicate(try likeness(1, flipping: 4), of: photo))
    }

    private func skip(_ name: String, photo: String) async throws {
        let claim = try await begin(name, photo: photo)
        try await library.finish(claim, as: .nearDuplicate(of: like(ofPhoto: photo)))
    }

    @Test(
        "A skipped near-duplicate is a duplicate that names the earlier photo, and is requeued when that is withdrawn")
    func skipped() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await skip("b", photo: "q")
        try await skip("b2", photo: "q")
        let endings = try await library.database.read { database in
            try String.fetchAll(database, sql: "SELECT state || ': ' || reason FROM file WHERE path = 'b'")
        }
        #expect(endings == ["duplicate: near-duplicate of a (4 of 256 bits differ)"])
        #expect(try await fixture.stickers() == ["p"])
        try await fixture.forget("b")
        #expect(try await fixture.count(.duplicate) == 1)
        #expect(try await fixture.count(.noSubject) == 0)
        try await fixture.forget("a")
        #expect(try await fixture.count(.pending) == 1)
        #expect(try await fixture.next().path.description == "b2")
    }

    @Test("… or when that is removed between the search and the end")
    func removedBetween() async throws {
        try await make("a", photo: "p", try likeness(1))
        let claim = try await begin("b", photo: "q")
        let like = try await like(ofPhoto: "q")
        try await fixture.forget("a")
        try await library.finish(claim, as: .nearDuplicate(of: like), originals: .archive)
        #expect(try await fixture.next().path.description == "b")
    }

    @Test("They stay skipped while that photo's sticker is missing from the outbox")
    func missing() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await skip("b", photo: "q")
        #expect(try await library.remake(["p.png"], inPack: "") == 1)
        #expect(try await fixture.next().path.description == "a")
        try await fixture.arrive("b2")
        #expect(try await fixture.begin(fixture.next(), photo: "q") == .upToDate)
        #expect(try await fixture.claimOne() == nil)
    }

    @Test("They are made once that photo has left, too, and its sticker can be removed by its name")
    func missingForGood() async throws {
        library.adopt(.keep)
        try await make("a", photo: "p", try likeness(1))
        try await skip("b", photo: "q")
        try await fixture.forget("a")
        #expect(try await library.remake(["p.png"], inPack: "") == 0)
        #expect(try await fixture.next().path.description == "b")
        #expect(try Library.requestRemoval(in: fixture.folder.path, of: [.init("p.png", isPhoto: false)]).stickers == 1)
    }
}
