import FileNames
import FoundationEssentials
import LinuxIO
import PackLedger
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoRaster
import SystemPackage
import TestSupport
import Testing

extension InboxScenarioRunner {
    /// Makes a sticker of every waiting file, as the Processor would, until none is waiting. Its name is that of the
    /// first file with these bytes.
    func make() async throws {
        guard let library else { return }
        try await library.remember(recipe: "r", content: "{}")
        while let claim = try await library.claim(limit: 1).first {
            let file = folder["inbox"].appending(bytes: claim.path.bytes)
            let bytes = try #require(FileManager.default.contents(atPath: file.string))
            let photo = try ContentDigest.sha256(of: [UInt8](bytes)).hex
            _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
            switch try await library.resolve(claim, photo: photo) {
            case .upToDate: try await library.finish(claim, as: .upToDate())
            case .copy(let stickers):
                let copies = stickers.map { $0.copied(toPack: claim.pack, as: $0.file, thumbnail: nil) }
                try await library.finish(claim, as: .made(copies, stems: [photo]))
            case .work: try await make(claim, photo: photo, file: claim.path.fileName, library)
            }
        }
        for pack in try await library.packNames() {
            let summary = try await library.summary(ofPack: pack.text, listed: 0)
            try await library.record(index: summary.revision, removed: [], listed: summary.unlisted, ofPack: pack.text)
        }
    }

    func make(_ claim: Claim, photo: String, file: String, _ library: Library) async throws {
        let colors = ColorExtractor(Raster(width: 1, height: 1, pixels: [255, 0, 0, 255])).sample()
        let facts = PhotoFacts(format: .jpeg, width: 4, height: 3, confidence: 0.9, colors: colors)
        let sticker = StickerRecord(
            StickerFacts(width: 4, height: 3, confidence: 0.9), pack: claim.pack, photo: photo,
            file: file, bytes: 1, sha256: "s", recipe: "r")
        try await library.finish(
            claim, as: .made([sticker], result: .init(photo: photo, facts: facts, recipe: "r"), stems: [photo]))
    }

    /// The pack (`.` is the root pack) has exactly these stickers, in this order, and keeps them.
    func expectStickers(inPack pack: String, _ stickers: [String], _ step: InboxScenario.Step) async throws {
        guard let library else { throw Mistake(step: step) }
        let pack = pack == "." ? "" : pack
        let ask = { try await library.stickers(ofPack: pack, limit: .max).map(\.sticker.file) }
        #expect(try await eventually(stickers, ask) == stickers, "\(step)")
        try await quiet()
        #expect(try await ask() == stickers, "\(step), a moment later")
    }
}
