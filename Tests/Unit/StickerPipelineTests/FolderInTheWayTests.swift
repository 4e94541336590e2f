import Conditions
import LibraryCommands
import LinuxIO
import Outbox
import OutboxLayout
import PackLedger
import PhotoLibrary
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Folders with the names of stickers", .timeLimit(.minutes(1)))
struct FolderInTheWayTests {
    private let fixture = PipelineFixture()
    private let digest: String

    /// With a photo that waits.
    init() async throws {
        try await fixture.drop(["a.png"])
        digest = try ContentDigest.sha256(of: fixture.inbox("a.png")).hex
    }

    /// The root pack's stickers once the queue is empty.
    private func stickers() async throws -> [String] {
        try await fixture.processing { try await fixture.drain($0) }
        #expect(fixture.conditions.reasons.isEmpty)
        return try await fixture.library.stickerRecords(ofPack: "").map(\.file)
    }

    @Test(
        "A photo fails with a reason if a folder has the name of its sticker or thumbnail, and can be retried without it",
        arguments: ["", "thumbnails/"])
    func beforehand(subfolder: String) async throws {
        let name = "a-\(digest.prefix(8)).png"
        let folder = subfolder.isEmpty ? name : subfolder + OutboxName.thumbnail(ofSticker: name)
        try fixture.folder.makeFolder("outbox/\(folder)")
        #expect(try await stickers() == [])
        #expect(try await fixture.library.summary(ofPack: "", listed: 9).failed.first?.reason?.contains(folder) == true)
        try fixture.folder.remove("outbox/\(folder)")
        #expect(try Library.requestRetry(in: fixture.folder["state"], of: ["a.png"]).photos == 1)
        #expect(try await stickers() == [name])
    }

    @Test("A photo whose sticker a folder replaced fails, and the folder stays")
    func afterwards() async throws {
        let name = "outbox/\(try #require(try await stickers().first))"
        try fixture.folder.remove(name)
        try fixture.folder.makeFolder(name)
        #expect(try await fixture.outbox.audit { _ in }.remade == 1)
        _ = try await stickers()
        #expect(try await fixture.count(.failed) == 1)
        #expect(fixture.folder.exists(name))
    }

    @Test(
        "A pack's folder and a sticker with the same name do not collide, whichever comes first",
        arguments: [true, false])
    func pack(comesFirst: Bool) async throws {
        let name = "a-\(digest.prefix(8)).png"
        if comesFirst {
            _ = try await fixture.library.forget([PipelineFixture.path("a.png")])
        } else {
            _ = try await stickers()
        }
        try await fixture.drop(["\(name)/b.png"])
        _ = try await stickers()
        try await fixture.arrive("a.png")
        #expect(try await stickers() == [name])
        #expect(try await fixture.library.stickerRecords(ofPack: name).count == 1)
    }
}
