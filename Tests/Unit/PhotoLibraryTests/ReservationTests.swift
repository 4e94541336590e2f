import FileNames
import PackLedger
import PhotoLibrary
import PhotoRule
import Testing

/// A crash may leave a sticker's files in the outbox before the Library records the sticker.
@Suite("The reserved name of a sticker that is never finished")
struct ReservationTests {
    private let fixture = LibraryFixture()

    /// Reserves the names of photo `p`'s sticker for file `a`, as before its files are written.
    private func reserve() async throws -> Claim {
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.folder(ofPack: "", candidates: [""])
        _ = try await fixture.library.resolve(claim, photo: "p")
        _ = try await fixture.library.reserveName(
            forPhoto: "p", recipe: "r", candidates: ["p.png"], thumbnail: { _ in "p.webp" }, claim: claim)
        return claim
    }

    private var withdrawn: Set<String> {
        get async throws { Set(try await fixture.library.summary(ofPack: "", listed: 0).withdrawn) }
    }

    private func forgetFile() async throws {
        try await fixture.forget("a")
    }

    @Test("After a crash, its files are removed if the photo is gone", arguments: WhenPhotoRemoved.allCases)
    func removed(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        _ = try await reserve()
        _ = try await fixture.library.recover()
        #expect(try await withdrawn.isEmpty)
        try await forgetFile()
        #expect(try await withdrawn == ["p.png", "thumbnails/p.webp"])
        #expect(fixture.library.takeChangedPacks().contains(""))
    }

    @Test("After a crash, its files are removed once another photo has its name", arguments: WhenPhotoRemoved.allCases)
    func replaced(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        _ = try await reserve()
        _ = try await fixture.library.recover()
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        #expect(try await withdrawn == ["p.png", "thumbnails/p.webp"])
    }

    @Test("After a crash, it stays reserved while another file has the photo", arguments: WhenPhotoRemoved.allCases)
    func copied(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await fixture.arrive("b")
        let copy = try await fixture.next()
        _ = try await reserve()
        _ = try await fixture.library.resolve(copy, photo: "p")
        _ = try await fixture.library.recover()
        try await forgetFile()
        #expect(try await withdrawn.isEmpty)
    }

    @Test("Its files are not removed while they are being written", arguments: WhenPhotoRemoved.allCases)
    func inProgress(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        let claim = try await reserve()
        try await fixture.arrive("a", version: 2)
        try await forgetFile()
        #expect(try await withdrawn.isEmpty)
        let made = Ending.made([fixture.record(photo: "p")], result: fixture.result(photo: "p"), stems: ["p"])
        try await fixture.library.finish(claim, as: made)
        // It is looked for again.
        try await forgetFile()
        #expect(try await withdrawn == (rule == .keep ? [] : ["p.png"]))
    }
}
