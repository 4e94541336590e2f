import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

extension WithdrawalTests {
    func makeWithoutSubject(_ name: String, _ photo: String, originals: OriginalsMode = .keep) async throws {
        try await fixture.arrive(name)
        let claim = try #require(try await fixture.claimOne())
        try await fixture.library.remember(recipe: "r", content: "{}")
        _ = try await fixture.library.folder(ofPack: claim.pack, candidates: [claim.pack])
        _ = try await fixture.library.resolve(claim, photo: photo)
        try await fixture.library.finish(
            claim, as: .noSubject(fixture.result(photo: photo), stems: [photo]), originals: originals)
    }

    /// Writes the palettes of the root pack, and returns those that were written, and the files to remove.
    func palettes() async throws -> [String] {
        let due = try await fixture.library.duePalettes(ofPack: "", limit: 9)
        let files = due.map { (LedgerPart.palettes(of: $0.photo), [LedgerEntry(file: $0.stem, key: "")]) }
        try await fixture.library.wrote(due, ofPack: "", with: Dictionary(uniqueKeysWithValues: files))
        let unwanted = try await fixture.library.unwanted(ofPack: "", limit: 9)
        try await fixture.library.forget(files: unwanted.map(\.file), ofPack: "")
        return due.map(\.stem) + unwanted.map { "-\($0.file)" }
    }

    @Test(
        "A removed photo without a subject is listed no more, and its palettes go with the last copy",
        arguments: WhenPhotoRemoved.allCases)
    func withoutSubject(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await makeWithoutSubject("a", "p")
        try await makeWithoutSubject("b", "p")
        #expect(try await palettes() == ["p"])
        _ = fixture.library.takeChangedPacks()
        try await remove("a")
        #expect(fixture.library.takeChangedPacks().contains(""))
        #expect(try await palettes().isEmpty)
        try await remove("b")
        #expect(try await palettes() == ["-p"])
        let summary = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect(summary.withoutSubject.isEmpty && summary.withoutStickerCount == 0)
        #expect(try await fixture.library.status().photos[.noSubject] == 0)
        #expect(try PhotoStory.read(of: "a", in: fixture.folder.path) == nil)
    }

    @Test("Palettes that were written while their photo left are removed")
    func withoutSubjectMeanwhile() async throws {
        try await makeWithoutSubject("a", "p")
        let due = try await fixture.library.duePalettes(ofPack: "", limit: 9)
        try await remove("a")
        let files = [LedgerPart.palettes(of: "p"): [LedgerEntry(file: "p", key: "")]]
        try await fixture.library.wrote(due, ofPack: "", with: files)
        #expect(try await fixture.library.unwanted(ofPack: "", limit: 9).map(\.file) == ["p"])
    }

    @Test("A photo that comes again after it was found to have no subject gets its palettes again")
    func withoutSubjectAgain() async throws {
        try await makeWithoutSubject("a", "p")
        #expect(try await palettes() == ["p"])
        try await remove("a")
        #expect(try await palettes() == ["-p"])
        try await fixture.arrive("c")
        let claim = try #require(try await fixture.claimOne())
        guard case .settled = try await fixture.library.resolve(claim, photo: "p") else {
            return #expect(Bool(false), "it is not made again")
        }
        try await fixture.library.finish(claim, as: .settled(stems: ["c"]))
        #expect(try await palettes() == ["c"])
    }

    @Test(
        "The palettes of a photo without a subject go when another photo has its name",
        arguments: WhenPhotoRemoved.allCases)
    func withoutSubjectReplaced(rule: WhenPhotoRemoved) async throws {
        fixture.library.adopt(rule)
        try await makeWithoutSubject("a", "p")
        #expect(try await palettes() == ["p"])
        try await fixture.arrive("a", version: 2)
        try await finish("q")
        #expect(try await palettes() == ["q", "-p"])
    }

    @Test(
        "A photo without a sticker that is removed before it can be moved is listed no more",
        arguments: [OriginalsMode.archive, .delete])
    func leftBeforeMove(mode: OriginalsMode) async throws {
        try await makeWithoutSubject("a", "p", originals: mode)
        try await fixture.arrive("b")
        try await fixture.library.finish(
            try #require(try await fixture.claimOne()), as: .failed(reason: "broken"), originals: mode)
        try await remove("a", "b")
        for original in try await fixture.library.dueOriginals(in: .max, limit: 9) {
            #expect(try await fixture.library.settle(original, as: .gone))
        }
        let summary = try await fixture.library.summary(ofPack: "", listed: 9)
        #expect(summary.withoutSubject.isEmpty && summary.failed.isEmpty && summary.withoutStickerCount == 0)
        #expect(try await fixture.library.dueOriginals(in: .max, limit: 9).isEmpty)
    }

    @Test("Photos that the settings ignore now are forgotten, and are not moved", arguments: WhenPhotoRemoved.allCases)
    func ignored(rule: WhenPhotoRemoved) async throws {
        let library = fixture.library
        library.adopt(rule)
        try await make(["bin/a": "p", "b": "q"])
        try await makeWithoutSubject("bin/n", "n", originals: .archive)
        try await fixture.arrive("bin/c", "bin/d")
        let claim = try #require(try await fixture.claimOne())
        let unfinished = try await library.adoptIgnoreRules("bin") { $0.pack == "bin" }
        #expect(unfinished == [claim.path])
        #expect(try await library.dueOriginals(in: .max, limit: 9).isEmpty)
        #expect(try await stickers("bin") == (rule == .keep ? ["p"] : []))
        #expect(try await stickers() == ["q"])
        #expect(try await library.known(inFolder: LibraryFixture.path("bin")).count == 1)
        #expect(try await library.status().photos[.pending] == 0)
        #expect(try await library.adoptIgnoreRules("bin") { _ in true }.isEmpty)
        #expect(try await library.known(inFolder: nil).count == 1)
    }
}
