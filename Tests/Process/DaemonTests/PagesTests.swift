import Foundation
import LinuxIO
import PhotoFacts
import PhotoLibrary
import StickerPipeline
import SystemPackage
import TestSupport
import Testing

@Suite("A pack with pages", .timeLimit(.minutes(2)))
struct PagesTests {
    /// More than a pack has in `pack.json` itself.
    private static let count = 1010

    /// An outbox with stickers and without an index, and its Library.
    private func fill(_ place: Workplace) async throws {
        for name in ["inbox", "outbox", "state"] {
            try FileManager.default.createDirectory(
                atPath: place.folder[name].string, withIntermediateDirectories: true)
        }
        let outbox = URL(filePath: place.folder["outbox"].string).resolvingSymlinksInPath().path
        let library = try PhotoLibrary(in: place.folder["state"], outbox: outbox)
        var stickers: [PhotoLibrary.FoundSticker] = []
        for number in 1...Self.count {
            let bytes = Array("sticker \(number)".utf8)
            let name = "\(number).png"
            try place.folder.write(bytes, to: "outbox/\(name)")
            let photo = try ContentDigest.sha256(of: Array(name.utf8)).hex
            stickers.append(
                .init(
                    StickerRecord(
                        StickerFacts(width: 9, height: 7, confidence: 0.75), pack: "", photo: photo, file: name,
                        bytes: bytes.count, sha256: try ContentDigest.sha256(of: bytes).hex, recipe: "unknown"),
                    colors: nil, subjectColors: nil))
        }
        try await library.adopt(stickers, inPack: "", folder: "", revision: 0)
        try library.close()
    }

    private func verify(_ place: Workplace, _ options: String...) async throws -> (status: Int32, lines: Set<String>) {
        let process = try StickerdProcess(["verify"] + options + place.folders + place.config, in: place.folder)
        let status = try await process.end()
        return (status, Set(process.printed.split(separator: "\n").map(String.init)))
    }

    @Test("verify finds every damaged page, and --repair restores them", arguments: [false, true])
    func verify(isRunning: Bool) async throws {
        let place = try Workplace(settings: #"{"workers": 1, "log": {"level": "debug"}}"#)
        try await fill(place)
        #expect(try await verify(place, "--repair").status == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox/pack"].string).sorted()
        #expect(before.count == 11)
        let daemon = isRunning ? try await place.start() : nil
        // The pages are checked once at the start.
        try await daemon?.said("Updated pack files")
        let outbox = place.folder["outbox"].string
        try FileManager.default.removeItem(atPath: "\(outbox)/pack/\(before[0])")
        try place.folder.write(Array("{}".utf8), to: "outbox/pack/\(before[1])")
        try place.folder.write(Array("{}".utf8), to: "outbox/pack/0099-1.json")
        let found = try await verify(place)
        #expect(found.status == 1)
        #expect(
            found.lines == [
                "\(outbox)/pack/\(before[0]): is missing", "\(outbox)/pack/\(before[1]): is not a valid page",
                "\(outbox)/pack/0099-1.json: is not listed in pack.json",
            ])
        let repaired = try await verify(place, "--repair")
        #expect(repaired.status == 0, "\(repaired.lines)")
        let after = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox/pack"].string).sorted()
        #expect(after == before)
        if let daemon { #expect(try await daemon.stop() == 0) }
    }
}
