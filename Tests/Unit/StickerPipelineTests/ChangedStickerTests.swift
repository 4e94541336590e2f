import Conditions
import FileNames
import Foundation
import LinuxIO
import PackFacts
import PhotoLibrary
import Testing
import TestSupport

@testable import Outbox
@testable import Packs

@Suite("Stickers that other programs change in the outbox", .timeLimit(.minutes(1)))
struct ChangedStickerTests {
    private let packs = PackFixture()
    private var fixture: PipelineFixture { packs.fixture }
    private let gallery = PackSettings.Gallery(maxArchiveBytes: 1_000_000)

    private func names() throws -> Set<String> { Set(try fixture.published().keys) }

    /// Makes a sticker without a ZIP, and changes it. Returns its name.
    private func changeSticker() async throws -> String {
        try await packs.make(["a.png"])
        try await packs.writing()
        let sticker = try #require(try packs.index()?.stickers.first).file
        try change(sticker)
        return sticker
    }

    private func change(_ sticker: String) throws {
        var bytes = try #require(try fixture.published()[sticker])
        bytes[0] &+= 1
        try fixture.folder.rewrite(bytes, to: "outbox/\(sticker)")
    }

    @Test("A sticker that was changed in place is remade, and then the ZIP is written")
    func changedSticker() async throws {
        let sticker = try await changeSticker()
        try await packs.writing(gallery: gallery) { writer in
            try await packs.untilWritten()
            #expect(try await fixture.eventually { try packs.index()?.stickers.isEmpty == true })
            #expect(try names().contains("index.html") && !names().contains("stickers.zip"))
            try await packs.finishAll(["a.png"])
            writer.wake()
            #expect(try await fixture.eventually { try names().contains("stickers.zip") })
        }
        #expect(try packs.index()?.stickers.map(\.file) == [sticker])
        #expect(fixture.conditions.reasons.isEmpty)
        #expect(fixture.log.said.filter { $0.contains("Stickers were changed in the outbox") }.count == 1)
    }

    @Test("A sticker that was changed in place stops the ZIP with a condition if its photo is gone")
    func changedStickerWithoutPhoto() async throws {
        let sticker = try await changeSticker()
        _ = try await fixture.library.forget([PipelineFixture.path("a.png")])
        try await packs.writing(gallery: gallery) { _ in try await packs.untilWritten() }
        #expect(try names().contains("index.html") && !names().contains("stickers.zip"))
        #expect(fixture.conditions.reasons.contains { "\($0)".contains("\(sticker) is not as stickerd wrote it") })
        #expect(try packs.index()?.stickers.map(\.file) == [sticker])
    }

    @Test("A sticker is remade although its photo waits in another pack, and looked at again if it waits in its own")
    func whilePhotoWaits() async throws {
        try await packs.make(["a.png"])
        let photo = try ContentDigest.sha256(of: Array("a.png".utf8)).hex
        try await packs.writing()
        let sticker = try #require(try packs.index()?.stickers.first).file
        for (copy, isHere) in [("a-2.png", true), ("B/a.png", false)] {
            try await fixture.arrive(copy)
            let claim = try #require(try await fixture.library.claim(limit: 1).first)
            _ = try await fixture.library.resolve(claim, photo: photo)
            try change(sticker)
            let losses = try await fixture.outbox.remakeLost(ofPack: "", among: [ExactName(sticker)])
            #expect(losses.unsettled == (isHere ? [ExactName(sticker)] : []) && losses.changed == (isHere ? 0 : 1))
            if isHere { try await fixture.library.finish(claim, as: .upToDate()) }
        }
    }
}
