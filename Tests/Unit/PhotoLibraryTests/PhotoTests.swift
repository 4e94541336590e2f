import PhotoLibrary
import PhotoRule
import Testing

@Suite("Photos and their copies")
struct PhotoTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    @Test(
        "The same photo under another name is a duplicate of the first, with or without a subject",
        arguments: [FileState.done, .noSubject])
    func duplicate(state: FileState) async throws {
        if state == .done { try await fixture.make(["a": "p"]) } else { try await fixture.end("a", photo: "p") }
        try await fixture.arrive("b")
        let second = try await fixture.next()
        #expect(try await fixture.begin(second, photo: "p") == .upToDate)
        let end = try await fixture.library.finish(second, as: .upToDate())
        let isMade = state == .done
        #expect(end?.state == (isMade ? .duplicate : .noSubject))
        #expect(end?.reason == (isMade ? "" : "\(Ending.noSubjectReason); ") + "duplicate of a")
        #expect(try await fixture.stickers() == (isMade ? ["p"] : []))
    }

    @Test("A photo that fails in one pack keeps the sticker that the same recipe made of it in another")
    func failedCopy() async throws {
        try await fixture.make(["A/a": "p"])
        try await fixture.end("B/a", photo: "p", as: .failed)
        #expect(try await fixture.library.status().photos.filter { $0.value > 0 } == [.done: 1, .failed: 1])
        #expect(try await fixture.stickers("A") == ["p"])
    }
}
