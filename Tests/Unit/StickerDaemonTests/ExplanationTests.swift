import DaemonSettings
import FileNames
import LinuxIO
import PackLedger
import PhotoFacts
import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("The output of stickerd explain")
struct ExplanationTests {
    @Test("Names of stickers, which an index of others may have given them, are escaped")
    func hostileNames() async throws {
        let folder = TemporaryFolder()
        try folder.makeFolder("state")
        let settings = try Settings.load(
            arguments: SettingsOverrides(outbox: folder["outbox"].string, state: folder["state"].string),
            environment: ["HOME": folder.path.string], configFile: nil)
        let library = try Library(in: settings.state, outbox: settings.outbox.string)
        let photo = String(repeating: "5e", count: 32)
        let sticker = StickerRecord(
            StickerFacts(width: 1, height: 1, confidence: 1, foundBy: .background), pack: "", photo: photo,
            file: "a\u{1b}[2J\u{202e}.png", bytes: 1, sha256: "s", recipe: "r")
        _ = try await library.beginTakeOver(
            ofPack: "", folder: "", count: 1,
            removed: [.init(photo: photo, ordinal: 1, file: "b\u{1b}]0;x\u{7}\n.png")])
        _ = try await library.takeOver(
            [(.init(sticker), .init(sticker, colors: nil, subjectColors: nil))], inPack: "", from: -1, overrules: true)
        let identity = FileIdentity(device: 1, inode: 7, size: 100, modified: 1, changed: 1)
        _ = try await library.record([
            Arrival(path: InboxPath(bytes: Array("cat.png".utf8)), identity: identity, verdict: .ready)
        ])
        let claim = try #require(try await library.claim(limit: 1).first)
        _ = try await library.resolve(claim, photo: photo)
        try await library.finish(claim, as: .upToDate())
        let text = try #require(try Explanation(of: "cat.png", settings: settings)).text
        #expect(text.contains("a\\x1b[2J\\xe2\\x80\\xae.png, 1 × 1 pixels"), "\(text)")
        #expect(text.contains("found by    its difference from a flat background"), "\(text)")
        #expect(text.contains("b\\x1b]0;x\\x07\\x0a.png, "), "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
}
