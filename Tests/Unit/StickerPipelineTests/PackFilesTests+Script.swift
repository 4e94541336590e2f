import Foundation
import LinuxIO
import PhotoLibrary
@testable import StickerPipeline
import SystemPackage
import TestSupport
import Testing

/// The script of the gallery's page.
extension PackFilesTests {
    @Test("The page's script is a file that a new sticker does not rewrite, and is restored if it is damaged")
    func code() async throws {
        try await packs.writing(gallery: gallery)
        let name = try #require(try names("pack").first)
        #expect(try names("pack").count == 1 && page().contains("<script src=\"pack/\(name)\" defer>"))
        let (before, bytes) = (try files(), try fixture.published("pack"))
        try await fixture.arrive("a.png")
        try await packs.finishAll(["a.png"])
        try await packs.writing(gallery: gallery)
        #expect(try files()["pack/\(name)"] == before["pack/\(name)"])
        #expect(try files()["index.html"] != before["index.html"])

        // Another release's script is removed after the page is written; other files stay.
        try fixture.folder.write([1], to: "outbox/pack/\(name)")
        try await publishFormerScript()
        try fixture.folder.write([1], to: "outbox/pack/gallery-mine.js")
        try await packs.writing(gallery: gallery)
        #expect(try names("pack") == [name, "gallery-mine.js"])
        #expect(try fixture.published("pack")[name] == bytes[name])

        try FileManager.default.removeItem(atPath: fixture.folder["outbox/pack/\(name)"].string)
        try await packs.writing(gallery: gallery) { writer in
            #expect(try await fixture.eventually { try names("pack").contains(name) })
            try fixture.folder.write([1], to: "outbox/pack/\(name)")
            writer.recheck()
            #expect(try await fixture.eventually { try fixture.published("pack")[name] == bytes[name] })
        }
    }

    /// Publishes the script of another release. Returns its name.
    @discardableResult
    private func publishFormerScript() async throws -> String {
        let name = "gallery-0123456789abcdef.js"
        let publisher = Publisher(library: fixture.library, outbox: fixture.outbox)
        let changes = try await publisher.publish([(.page, [try PlannedFile("pack/\(name)", [1])])], inPack: "")
        try await fixture.library.record(changes, ofPack: "", isWhole: true)
        return name
    }

    @Test("Without the gallery, its script is removed even if its page is gone; no folder is made for that")
    func codeWithoutPage() async throws {
        try await packs.writing(gallery: gallery)
        #expect(try names("pack").count == 1)
        try FileManager.default.removeItem(atPath: fixture.folder["outbox/index.html"].string)
        try await packs.writing()
        #expect(try names("pack").isEmpty)
        try FileManager.default.removeItem(atPath: fixture.folder["outbox/pack"].string)
        try await packs.writing()
        #expect(try !names().contains("pack"))
    }

    @Test("If the page cannot be written, the script of its last version stays")
    func codeOrder() async throws {
        try await packs.writing(gallery: gallery)
        let former = try await publishFormerScript()
        let path = fixture.folder["outbox/index.html"].string
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await packs.writing(gallery: gallery)
        #expect(try names("pack").contains(former))
        try FileManager.default.removeItem(atPath: path)
        try await packs.writing(gallery: gallery)
        #expect(try !names("pack").contains(former))
    }
}
