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

    @Test("A photo fails with a reason if a folder has its sticker's name, and can be retried without the folder")
    func beforehand() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        let name = "a-\(try ContentDigest.sha256(of: photo).hex.prefix(8)).png"
        try makeFolder(name)
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        #expect(try await fixture.library.summary(ofPack: "", listed: 9).failed.first?.reason?.contains(name) == true)
        #expect(fixture.conditions.reasons.isEmpty)
        try FileManager.default.removeItem(atPath: fixture.folder["outbox"].appending(name).string)
        #expect(try PhotoLibrary.requestRetry(in: fixture.folder["state"], of: ["a.png"]).waiting == 1)
        try await fixture.processing { processor async throws in try await fixture.drain(processor) }
        #expect(try await stickers() == [name])
    }

    @Test("A photo whose sticker a folder replaced fails, and the folder stays")
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
        #expect(try await fixture.count(.failed) == 1)
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
