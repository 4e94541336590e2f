import Foundation
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Originals by mode", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }
    private var photo: [UInt8] { originals.photo }
    private var flat: [UInt8] { originals.flat }

    @Test("archive: finished photos go to folders by day and subfolder, failed ones to theirs with the reason")
    func archive() async throws {
        try await originals.drop([
            ("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("Cats/a.png", photo),
            ("text.jpg", PipelineFixture.noPhoto),
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

    @Test("delete: photos with stickers and their copies are deleted, others never")
    func delete() async throws {
        try await originals.drop([
            ("a.png", photo), ("copy.png", photo), ("flat.png", flat), ("text.jpg", PipelineFixture.noPhoto),
        ])
        try await originals.work(.delete)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        #expect(try originals.files(fixture.folder["archive"]).isEmpty)
        #expect(
            try Set(originals.files(fixture.folder["failed"]).keys) == [
                "flat.png", "flat.png.reason.txt", "text.jpg", "text.jpg.reason.txt",
            ])
    }

    @Test("delete: a copy of a photo without a sticker goes to the failed folder, too")
    func deleteCopies() async throws {
        for (name, photo) in [("flat.png", flat), ("text.jpg", PipelineFixture.noPhoto)] {
            try await originals.drop([(name, photo)])
            try await originals.work(.delete)
            try await originals.drop([("again-\(name)", photo)])
            try await originals.work(.delete)
        }
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty)
        let kept = try originals.files(fixture.folder["failed"])
        #expect(kept["again-flat.png"] == flat && kept["flat.png"] == flat)
        #expect(kept["again-text.jpg"] == PipelineFixture.noPhoto && kept["text.jpg"] == PipelineFixture.noPhoto)
        #expect(
            kept["again-flat.png.reason.txt"].map { String(decoding: $0, as: UTF8.self) }?.contains("flat.png") == true)
        #expect(try await fixture.count(.noSubject) == 2)
        #expect(try await fixture.count(.failed) == 2)
    }

    @Test("No file in the archive is replaced, however often its name comes in")
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
