import Conditions
import Foundation
import LinuxIO
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("Folders with the names of stickers", .timeLimit(.minutes(1)))
struct FolderInTheWayTests {
    private let fixture: PipelineFixture

    init() throws {
        fixture = try PipelineFixture()
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: fixture.folder["outbox"].appending(name).string, withIntermediateDirectories: true)
    }

    private func stickers() async throws -> [String] {
        try await fixture.library.stickerRecords(ofPack: "").map(\.file)
    }

    @Test("A sticker takes another name if a folder has its own")
    func beforehand() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        let digest = try ContentDigest.sha256(of: photo).hex
        try makeFolder("a-\(digest.prefix(8)).png")
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        #expect(try await stickers() == ["a-\(digest.prefix(16)).png"])
        #expect(fixture.conditions.reasons.isEmpty)
    }

    @Test("A sticker takes a numbered name if folders have all its names")
    func all() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        let digest = try ContentDigest.sha256(of: photo).hex
        for digits in [8, 16, 64] { try makeFolder("a-\(digest.prefix(digits)).png") }
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        #expect(try await stickers() == ["a-\(digest)_2.png"])
    }

    @Test("A sticker whose file a folder replaced is remade under another name, and the folder stays")
    func afterwards() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        let name = try #require(try await stickers().first)
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(name).string)
        try makeFolder(name)
        #expect(try await fixture.outbox.audit { _ in } == 1)
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        let stickers = try await stickers()
        #expect(stickers.count == 1 && stickers != [name])
        #expect(try fixture.published()[stickers.first ?? ""] != nil)
        #expect(FileManager.default.fileExists(atPath: fixture.folder["outbox"].appending(name).string))
    }

    @Test(
        "A pack's folder and a sticker with the same name do not collide, whichever comes first",
        arguments: [true, false])
    func pack(comesFirst: Bool) async throws {
        let photo = try PipelineFixture.photo()
        let name = "a-\(try ContentDigest.sha256(of: photo).hex.prefix(8)).png"
        try fixture.write(photo, to: "a.png")
        try fixture.write(try PipelineFixture.photo(red: 150), to: "\(name)/b.png")
        for file in comesFirst ? ["\(name)/b.png", "a.png"] : ["a.png", "\(name)/b.png"] {
            try await fixture.arrive(file)
            try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        }
        #expect(try await stickers() == [name])
        #expect(try await fixture.library.stickerRecords(ofPack: name).count == 1)
        #expect(fixture.conditions.reasons.isEmpty)
    }
}
