import FileNames
import LibraryCommands
import PackLedger
import PhotoLibrary
import PhotoRule
import SystemPackage
import TestSupport
import Testing

/// `DecisionTests` has the rules; these tests are about what the Library records and does for them.
@Suite("Stickers whose photo is gone from the inbox")
struct WithdrawalTests {
    private let fixture = LibraryFixture()
    private var library: Library { fixture.library }

    @Test("No copy of a photo stays in progress after all of them became unreadable")
    func unreadableCopies() async throws {
        let names = ["a", "b", "c"]
        try await fixture.make(["a": "p", "b": "p", "c": "p"])
        for name in names { try await fixture.arrive(name, version: 2) }
        while let claim = try await fixture.claimOne() {
            try await library.finish(claim, as: .unreadable(reason: "permission denied"))
        }
        #expect(try await fixture.count(.failed) == names.count)
        #expect(try await fixture.count(.processing) == 0)
    }

    @Test(
        "A replaced photo's sticker is withdrawn if the new file is removed before its turn, not if it cannot be read")
    func replacedByNothing() async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p", "b": "q"])
        try await fixture.arrive("a", "b", version: 2)
        try await library.finish(fixture.next(), as: .unreadable(reason: "permission denied"))
        try await fixture.forget("b")
        #expect(try await fixture.stickers() == ["p"])
        try await fixture.forget("a")
        #expect(try await fixture.stickers().isEmpty)
        #expect(try await fixture.withdrawn() == ["p.png", "q.png"])
    }

    @Test("Archiving a photo is no removal, nor is a new photo under its name")
    func archived() async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"], originals: .archive)
        #expect(try await library.recordTarget("/archive/a", for: fixture.dueOriginal()))
        try await fixture.forget("a")
        #expect(try await fixture.stickers() == ["p"])
        try await fixture.arrive("a", version: 2)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        #expect(try await fixture.stickers() == ["p", "q"])
    }

    @Test("A photo whose file is gone when it is to be read again loses its sticker with it", arguments: [true, false])
    func abandoned(isRemade: Bool) async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"])
        if isRemade { try fixture.remake() } else { try await fixture.arrive("a", version: 2) }
        try await library.abandon(fixture.next())
        #expect(try await fixture.claimOne() == nil)
        try await fixture.forget("a")
        #expect(try await fixture.withdrawn() == ["p.png"])
        #expect(try await library.known(inFolder: nil).isEmpty)
    }

    @Test("A photo that is touched and changed repeatedly while it is read is replaced once", arguments: [true, false])
    func replacedAgainAndAgain(isKnown: Bool) async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"])
        for version in 2...4 {
            try await fixture.arrive("a", version: Int64(version))
            let claim = try await fixture.next()
            if isKnown { _ = try await library.resolve(claim, photo: "p") }
            try await library.abandon(claim)
        }
        try await fixture.arrive("a", version: 5)
        try await fixture.makeSticker(fixture.next(), photo: "q")
        #expect(try await fixture.stickers() == ["q"])
        #expect(try await fixture.withdrawn() == ["p.png"])
    }

    @Test("A name whose old file is still to be removed is given to a new sticker only if there is no other")
    func nameThatIsToGo() async throws {
        library.adopt(.withdraw)
        try await fixture.make(["a": "p"])
        try await fixture.forget("a")
        try await fixture.arrive("a", version: 2)
        let claim = try await fixture.next()
        _ = try await library.resolve(claim, photo: "p")
        func reserve(_ photo: String, _ candidates: String...) async throws -> String? {
            try await library.reserveName(
                forPhoto: photo, recipe: "r", candidates: candidates, thumbnail: { _ in nil }, claim: claim)
        }
        #expect(try await reserve("p", "p.png", "p-2.png") == "p-2.png")
        // The name is reserved now.
        #expect(try await reserve("p", "p.png") == "p-2.png")
        _ = try await library.resolve(claim, photo: "q")
        #expect(try await reserve("q", "p.png") == "p.png")
    }

    @Test("A removed photo whose sticker stays is not rescanned, and is recognized when it returns")
    func forgotten() async throws {
        try await fixture.make(["a": "p", "b": "q"])
        try await fixture.forget("a")
        #expect(try await library.known(inFolder: nil).keys.map(\.description) == ["b"])
        #expect(try await library.knownFiles(limit: 9).keys.map(\.description) == ["b"])
        library.adopt(.withdraw)
        try await fixture.arrive("a")
        let claim = try await fixture.next()
        #expect(try await fixture.begin(claim, photo: "p") == .upToDate)
        try await library.finish(claim, as: .upToDate())
        #expect(try await fixture.stickers() == ["p", "q"])
        #expect(try await fixture.withdrawn().isEmpty)
    }

    // MARK: - Photos without a sticker

    /// Writes the palettes of the root pack, and returns those that were written, and the files to remove.
    private func palettes() async throws -> [String] {
        let due = try await library.duePalettes(ofPack: "", limit: 9)
        let files = due.map { (LedgerPart.palettes(of: $0.photo), [LedgerEntry(file: $0.stem, key: "")]) }
        try await library.wrote(due, ofPack: "", with: Dictionary(uniqueKeysWithValues: files))
        let unwanted = try await library.unwanted(ofPack: "", limit: 9)
        try await library.forget(files: unwanted.map(\.file), ofPack: "")
        return due.map(\.stem) + unwanted.map { "-\($0.file)" }
    }

    @Test(
        "A removed photo without a subject is listed no more, and its palettes go with the last copy, until it returns",
        arguments: WhenPhotoRemoved.allCases)
    func withoutSubject(rule: WhenPhotoRemoved) async throws {
        library.adopt(rule)
        try await fixture.end("a", photo: "p")
        try await fixture.end("b", photo: "p")
        #expect(try await palettes() == ["n"])
        _ = library.takeChangedPacks()
        try await fixture.forget("a")
        #expect(library.takeChangedPacks().contains(""))
        #expect(try await palettes().isEmpty)
        try await fixture.forget("b")
        #expect(try await palettes() == ["-n"])
        let summary = try await library.summary(ofPack: "", listed: 9)
        #expect(summary.withoutSubject.isEmpty && summary.withoutStickerCount == 0)
        #expect(try await fixture.count(.noSubject) == 0)
        #expect(try PhotoStory.read(of: "a", in: fixture.folder.path) == nil)
        try await fixture.arrive("c")
        let claim = try await fixture.next()
        #expect(try await fixture.begin(claim, photo: "p") == .upToDate)
        try await library.finish(claim, as: .upToDate(stems: ["c"]))
        #expect(try await palettes() == ["c"])
    }

    @Test("Palettes that were written while their photo left are removed")
    func withoutSubjectMeanwhile() async throws {
        try await fixture.end("a", photo: "p")
        let due = try await library.duePalettes(ofPack: "", limit: 9)
        try await fixture.forget("a")
        let files = [LedgerPart.palettes(of: "p"): [LedgerEntry(file: "n", key: "")]]
        try await library.wrote(due, ofPack: "", with: files)
        #expect(try await library.unwanted(ofPack: "", limit: 9).map(\.file) == ["n"])
    }

    @Test(
        "A photo without a sticker that is removed before it can be moved is listed no more",
        arguments: [OriginalsMode.archive, .delete])
    func leftBeforeMove(mode: OriginalsMode) async throws {
        try await fixture.end("a", photo: "p", originals: mode)
        try await fixture.end("b", photo: nil, as: .failed, originals: mode)
        try await fixture.forget("a", "b")
        for original in try await library.dueOriginals(in: .max, limit: 9) {
            #expect(try await library.conclude(original, as: .gone))
        }
        let summary = try await library.summary(ofPack: "", listed: 9)
        #expect(summary.withoutSubject.isEmpty && summary.failed.isEmpty && summary.withoutStickerCount == 0)
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    @Test("Photos that the settings ignore now are forgotten, and are not moved", arguments: WhenPhotoRemoved.allCases)
    func ignored(rule: WhenPhotoRemoved) async throws {
        library.adopt(rule)
        try await fixture.make(["bin/a": "p", "b": "q"])
        try await fixture.end("bin/n", photo: "n", originals: .archive)
        try await fixture.arrive("bin/c", "bin/d")
        let claim = try await fixture.next()
        let unfinished = try await library.adoptIgnoreRules("bin") { $0.pack == "bin" }
        #expect(unfinished == [claim.path])
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
        #expect(try await fixture.stickers("bin") == (rule == .keep ? ["p"] : []))
        #expect(try await fixture.stickers() == ["q"])
        #expect(try await library.known(inFolder: LibraryFixture.path("bin")).count == 1)
        #expect(try await fixture.count(.pending) == 0)
        #expect(try await library.adoptIgnoreRules("bin") { _ in true }.isEmpty)
        #expect(try await library.known(inFolder: nil).count == 1)
    }
}
