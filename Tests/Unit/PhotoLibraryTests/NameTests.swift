import FileNames
import PhotoLibrary
import TestSupport
import Testing

@Suite("Packs whose names are easily confused")
struct NameTests {
    private let fixture = LibraryFixture()
    private static let composed = "Caf\u{e9}"
    private static let decomposed = "Cafe\u{301}"

    @Test("Canonically equivalent names are two packs, in every list")
    func canonicallyEquivalent() async throws {
        try await fixture.arrive("\(Self.composed)/a", "\(Self.decomposed)/a")
        #expect(fixture.library.takeChangedPacks() == [ExactName(Self.composed), ExactName(Self.decomposed)])
        #expect(try await fixture.library.packNames().count == 3)
        #expect(try await fixture.library.claim(limit: 9, exceptPacks: [ExactName(Self.composed)]).count == 1)
    }

    @Test("A Library refuses another outbox whose name is canonically equivalent")
    func outbox() throws {
        let folder = TemporaryFolder()
        try Library(in: folder.path, outbox: "/\(Self.composed)").close()
        let error = #expect(throws: LibraryError.self) {
            try Library(in: folder.path, outbox: "/\(Self.decomposed)")
        }
        #expect(error?.code == .otherOutbox)
        try Library(in: folder.path, outbox: "/\(Self.composed)").close()
    }

    @Test(
        "Two packs never get folders that are the same on a case-insensitive or normalizing file system",
        arguments: [
            (composed, decomposed), ("cat", "Cat"), ("\u{c5}", "\u{212b}"), ("strasse", "stra\u{df}e"),
            ("\u{17f}ea", "Sea"), ("a\u{200d}b", "ab"), ("\u{e9}TUDE", "\u{c9}tude"), ("k", "\u{212a}"),
        ])
    func folders(first: String, second: String) async throws {
        #expect(!first.isExactly(second))
        let candidates = { (name: String) in [name, name + "-2", name + "-3"] }
        #expect(try await fixture.library.folder(ofPack: first, candidates: candidates(first)) == first)
        let other = try #require(try await fixture.library.folder(ofPack: second, candidates: candidates(second)))
        #expect(other.isExactly(second + "-2"))
        // A second call returns the same folder, and no other pack gets it.
        #expect(try await fixture.library.folder(ofPack: second, candidates: ["other"]) == other)
        #expect(try await fixture.library.folder(ofPack: "third", candidates: [other]) == nil)
    }
}
