import Foundation
import LinuxIO
import Logging
import PhotoCodecs
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("What becomes of the originals", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private let originals: OriginalsFixture
    private var fixture: PipelineFixture { originals.pipeline }
    private var photo: [UInt8] { originals.photo }
    private var flat: [UInt8] { originals.flat }

    init() throws { originals = try OriginalsFixture() }

    @Test("With archive all that is done leaves the inbox, by day and subfolder; what failed has its reason beside it")
    func archive() async throws {
        try await originals.drop([
            ("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("Cats/a.png", photo), ("text.jpg", [1, 2, 3]),
        ])
        try await originals.work(.archive)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(
            try originals.files(fixture.folder["archive"]) == [
                "today/a.png": photo, "today/copy.png": photo, "today/flat.png": flat, "today/Cats/a.png": photo,
            ])
        let failed = try originals.files(fixture.folder["failed"])
        #expect(Set(failed.keys) == ["text.jpg", "text.jpg.reason.txt"])
        let reason = String(decoding: failed["text.jpg.reason.txt"] ?? [], as: UTF8.self)
        #expect(reason.hasPrefix("text.jpg: ") && reason.contains("stickerd retry"))
        #expect(try await fixture.count(.failed) == 1)
    }

    @Test("With delete, photos with a sticker and their copies go; one that nothing was made of never does")
    func delete() async throws {
        try await originals.drop([("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("text.jpg", [1, 2, 3])])
        try await originals.work(.delete)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try originals.files(fixture.folder["archive"]).isEmpty)
        #expect(
            try Set(originals.files(fixture.folder["failed"]).keys) == [
                "flat.png", "flat.png.reason.txt", "text.jpg", "text.jpg.reason.txt",
            ])
    }

    @Test("With delete, a copy of a photo without a sticker shares its fate, in whatever state that one is")
    func deleteCopies() async throws {
        for (name, photo) in [("flat.png", flat), ("text.jpg", [1, 2, 3])] {
            try await originals.drop([(name, photo)])
            try await originals.work(.delete)
            try await originals.drop([("again-\(name)", photo)])
            try await originals.work(.delete)
        }
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        let kept = try originals.files(fixture.folder["failed"])
        #expect(kept["again-flat.png"] == flat && kept["flat.png"] == flat)
        #expect(kept["again-text.jpg"] == [1, 2, 3] && kept["text.jpg"] == [1, 2, 3])
        #expect(
            kept["again-flat.png.reason.txt"].map { String(decoding: $0, as: UTF8.self) }?.contains("flat.png") == true)
        #expect(try await fixture.count(.noSubject) == 2)
        #expect(try await fixture.count(.failed) == 2)
    }

    @Test("With keep the inbox is left alone")
    func keep() async throws {
        try await originals.drop([("a.png", photo), ("text.jpg", [1, 2, 3])])
        try await originals.work(.keep)
        #expect(try Set(originals.files(fixture.folder["inbox"]).keys) == ["a.png", "text.jpg"])
    }

    @Test("Nothing in the archive is ever written over, however often a name comes in")
    func numbers() async throws {
        let long = String(repeating: "é", count: 125) + ".png"
        for red in [150, 180, 210] as [UInt8] {
            let photo = try PipelineFixture.photo(red: red)
            try await originals.drop([("a.png", photo), (long, photo + [0])])
            try await originals.work(.archive)
        }
        let archived = try originals.files(fixture.folder["archive"])
        #expect(archived.count == 6)
        #expect(Set(archived.keys).isSuperset(of: ["today/a.png", "today/a-2.png", "today/a-3.png", "today/\(long)"]))
        #expect(archived.keys.allSatisfy { $0.utf8.count <= 255 + "today/".utf8.count })
    }
}
