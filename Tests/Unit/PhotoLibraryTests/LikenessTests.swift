import Foundation
import GRDB
import PhotoColors
import PhotoLikeness
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("Near-duplicates in the Library")
struct LikenessTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

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

    private func make(_ name: String, photo: String, _ likeness: PerceptualHash) async throws {
        try await fixture.arrive(name)
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.folder(ofPack: claim.pack, candidates: [claim.pack])
        _ = try await fixture.library.resolve(claim, photo: photo)
        let result = fixture.result(photo: photo, likeness: likeness)
        try await fixture.library.finish(
            claim, as: .made([fixture.record(photo: photo, pack: claim.pack)], result: result, stems: [photo]))
    }

    private func firstNearDuplicate(_ likeness: PerceptualHash, pack: String = "") async throws -> SimilarPhoto? {
        try await fixture.library.firstNearDuplicate(of: likeness, ofPhoto: "new", inPack: pack)
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

    @Test(
        "Every photo within the threshold is found, whichever bits differ",
        arguments: 0..<40 as Range<UInt64>)
    func guaranteed(seed: UInt64) async throws {
        try await make("a", photo: "p", try likeness(seed))
        var random = TestRandom(state: seed + 1000)
        var bytes = try likeness(seed).bytes
        for bit in (0..<PerceptualHash.bitCount).shuffled(using: &random).prefix(PerceptualHash.alike) {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        let like = try await firstNearDuplicate(try #require(PerceptualHash(bytes: bytes)))
        #expect(like?.distance == PerceptualHash.alike)
    }

    @Test("All photos of a burst refer to its first")
    func first() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await make("b", photo: "q", try likeness(1, flipping: 10))
        try await make("c", photo: "r", try likeness(9))
        #expect(try await firstNearDuplicate(try likeness(1, flipping: 11))?.photo == "p")
        #expect(try await firstNearDuplicate(try likeness(9, flipping: 1))?.photo == "r")
        #expect(try await fixture.library.like(ofPhoto: "q", inPack: "")?.sticker == "p.png")
        for photo in ["p", "r"] { #expect(try await fixture.library.like(ofPhoto: photo, inPack: "") == nil) }
    }

    @Test("Only stickers still in the pack count: if the first of a burst is gone, the next takes its place")
    func withdrawn() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await make("b", photo: "q", try likeness(1, flipping: 10))
        _ = try await fixture.library.remake(["p.png"], inPack: "")
        #expect(try await firstNearDuplicate(try likeness(1))?.photo == "q")
        #expect(try await fixture.library.like(ofPhoto: "q", inPack: "") == nil)
        _ = try await fixture.library.remake(["q.png"], inPack: "")
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

    @Test("A photo that had a sticker is no near-duplicate of another")
    func itself() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await make("b", photo: "q", try likeness(1, flipping: 10))
        let again = try await fixture.library.firstNearDuplicate(of: try likeness(1), ofPhoto: "q", inPack: "")
        #expect(again == nil)
    }

    @Test("… even if its sticker was made while near-duplicates were off")
    func withoutLikeness() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await fixture.arrive("b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        #expect(try await fixture.library.firstNearDuplicate(of: try likeness(1), ofPhoto: "q", inPack: "") == nil)
    }

    @Test(
        "… in a pack that it was moved from; a photo that is still there, too, is a near-duplicate",
        arguments: [false, true])
    func moved(isCopied: Bool) async throws {
        try await make("B/a", photo: "p", try likeness(1))
        try await fixture.arrive("A/b")
        try await fixture.makeSticker(try #require(try await fixture.claimOne()), photo: "q")
        let path = LibraryFixture.path("B/b")
        let arrival = Arrival(path: path, identity: LibraryFixture.identity(), verdict: .ready)
        _ = try await fixture.library.record([arrival], renamed: isCopied ? [:] : [path: LibraryFixture.path("A/b")])
        let like = try await fixture.library.firstNearDuplicate(of: try likeness(1), ofPhoto: "q", inPack: "B")
        #expect(like?.photo == (isCopied ? "p" : nil))
    }

    @Test("A photo without a subject has no near-duplicates")
    func noSubject() async throws {
        try await fixture.arrive("a")
        try await fixture.library.remember(recipe: "r", content: "{}")
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(claim, photo: "p")
        let result = fixture.result(photo: "p", confidence: 0, likeness: try likeness(1))
        try await fixture.library.finish(claim, as: .noSubject(result, stems: ["p"]))
        #expect(try await firstNearDuplicate(try likeness(1)) == nil)
    }

    @Test("A skipped near-duplicate ends as a duplicate that names the earlier photo")
    func skipped() async throws {
        try await make("a", photo: "p", try likeness(1))
        try await fixture.arrive("b")
        let claim = try #require(try await fixture.claimOne())
        _ = try await fixture.library.resolve(claim, photo: "q")
        let like = try #require(try await firstNearDuplicate(try likeness(1, flipping: 4)))
        try await fixture.library.finish(claim, as: .nearDuplicate(of: like))
        let endings = try await fixture.library.database.read { database in
            try String.fetchAll(database, sql: "SELECT state || ': ' || reason FROM file WHERE path = 'b'")
        }
        #expect(endings == ["duplicate: near-duplicate of a (4 of 256 bits differ)"])
        #expect(try await Set(fixture.library.publishedFiles(ofPack: "").keys) == ["p.png"])
    }
}
