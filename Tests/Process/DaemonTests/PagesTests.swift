import Foundation
import LinuxIO
import PackLedger
import PhotoFacts
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

@Suite("A pack with pages", .timeLimit(.minutes(2)))
struct PagesTests {
    /// More than a pack has in `pack.json` itself.
    private static let count = 1010

    /// An outbox with stickers and without an index, and its Library.
    private func fill(_ place: Workplace) async throws {
        for name in ["outbox", "state"] { try place.folder.makeFolder(name) }
        let outbox = URL(filePath: place.folder["outbox"].string).resolvingSymlinksInPath().path
        let library = try Library(in: place.folder["state"], outbox: outbox)
        var stickers: [(listed: Library.ListedSticker, found: Library.PackSticker?)] = []
        for number in 1...Self.count {
            let bytes = Array("sticker \(number)".utf8)
            let name = "\(number).png"
            try place.folder.write(bytes, to: "outbox/\(name)")
            let photo = try ContentDigest.sha256(of: Array(name.utf8)).hex
            let sticker = StickerRecord(
                StickerFacts(width: 9, height: 7, confidence: 0.75), pack: "", photo: photo, file: name,
                bytes: bytes.count, sha256: try ContentDigest.sha256(of: bytes).hex, recipe: "unknown")
            stickers.append((.init(sticker), .init(sticker, colors: nil, subjectColors: nil)))
        }
        _ = try await library.beginTakeOver(ofPack: "", folder: "", count: stickers.count, removed: [])
        _ = try await library.takeOver(stickers, inPack: "", from: Int64(-Self.count), overrules: true)
        try library.close()
    }

    private func verify(_ place: Workplace, _ options: String...) async throws -> (status: Int32, lines: Set<String>) {
        let process = try StickerdProcess(["verify"] + options + place.folders + place.config, in: place.folder)
        let status = try await process.end()
        return (status, Set(process.printed.split(separator: "\n").map(String.init)))
    }

    @Test("verify finds every damaged page, and --repair restores them", arguments: [false, true])
    func verify(isRunning: Bool) async throws {
        let place = Workplace(settings: #"{"workers": 1, "log": {"level": "debug"}}"#)
        try await fill(place)
        #expect(try await verify(place, "--repair").status == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox/pack"].string).sorted()
        #expect(before.count == 23, "a file of the index and a script of each page, and the gallery's script")
        let indexes = before.filter { $0.hasSuffix(".json") }
        let scripts = before.filter { $0.hasSuffix(".js") && !$0.hasPrefix("gallery-") }
        let code = try #require(before.first { $0.hasPrefix("gallery-") })
        let daemon = isRunning ? try await place.start() : nil
        // The pages are checked once at the start.
        try await daemon?.said("Updated pack files")
        let outbox = place.folder["outbox"].string
        try FileManager.default.removeItem(atPath: "\(outbox)/pack/\(indexes[0])")
        try place.folder.write("{}", to: "outbox/pack/\(indexes[1])")
        try place.folder.write("{}", to: "outbox/pack/0099-1.json")
        try FileManager.default.removeItem(atPath: "\(outbox)/pack/\(scripts[2])")
        try place.folder.write("{}", to: "outbox/pack/\(scripts[3])")
        try place.folder.write("{}", to: "outbox/pack/0098-1.js")
        try place.folder.write("{}", to: "outbox/pack/\(code)")
        try place.folder.write("{}", to: "outbox/pack/gallery-0123456789abcdef.js")
        let found = try await verify(place)
        #expect(found.status == 1)
        // A running daemon has restored the deleted ones.
        let missing = isRunning ? [] : [indexes[0], scripts[2]].map { "\(outbox)/pack/\($0): is missing" }
        let changed = [indexes[1], scripts[3], code].map { "\(outbox)/pack/\($0): differs from what stickerd wrote" }
        let unknown = ["0099-1.json", "0098-1.js", "gallery-0123456789abcdef.js"]
            .map { "\(outbox)/pack/\($0): belongs to no page" }
        #expect(found.lines == Set(missing + changed + unknown))
        let repaired = try await verify(place, "--repair")
        #expect(repaired.status == 0, "\(repaired.lines)")
        let after = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox/pack"].string).sorted()
        #expect(after == before)
        if let daemon { #expect(try await daemon.stop() == 0) }
    }
}
