import Foundation
import LinuxIO
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoLikeness
import PhotoRaster
import TestSupport

/// A Library in its own folder, with functions to fill it.
struct LibraryFixture {
    let folder: TemporaryFolder
    let library: PhotoLibrary

    init(
        in folder: TemporaryFolder? = nil, outbox: String = "/outbox", clock: any MonotonicClock = ContinuousClock()
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        library = try PhotoLibrary(in: self.folder.path, outbox: outbox, clock: clock)
    }

    static func path(_ text: String) -> InboxPath { InboxPath(bytes: Array(text.utf8)) }

    static func identity(_ version: Int64 = 1) -> FileIdentity {
        FileIdentity(device: 1, inode: 7, size: 100, modified: version, changed: version)
    }

    @discardableResult
    func arrive(_ names: String..., version: Int64 = 1) async throws -> Int {
        try await library.record(
            names.map { Arrival(path: Self.path($0), identity: Self.identity(version), verdict: .ready) })
    }

    func claimOne() async throws -> Claim? { try await library.claim(limit: 1).first }

    /// - Parameter added: when the sticker came into its pack.
    func makeSticker(
        _ claim: Claim, photo: String, added: Date = Date(timeIntervalSince1970: 1), originals: OriginalsMode = .keep
    ) async throws {
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
        let resolution = try await library.resolve(claim, photo: photo)
        let made = Ending.made(
            [record(photo: photo, pack: claim.pack, added: added)], result: result(photo: photo), stems: [photo])
        if case .settled = resolution {
            try await library.finish(claim, as: .settled(), originals: originals)
        } else {
            try await library.finish(claim, as: made, originals: originals)
        }
        try await list()
    }

    /// Records that the packs' indexes list all stickers.
    func list() async throws {
        for pack in try await library.packNames() {
            let summary = try await library.summary(ofPack: pack.text, listed: 0)
            try await library.record(
                index: summary.revision, removed: [], listed: summary.unlisted, ofPack: pack.text)
        }
    }

    /// Pure red.
    static let colors = ColorExtractor(Raster(width: 1, height: 1, pixels: [255, 0, 0, 255])).sample()

    func result(photo: String, confidence: Double = 0.9, likeness: PerceptualHash? = nil) -> Ending.Result {
        .init(
            photo: photo,
            facts: PhotoFacts(
                format: .jpeg, width: 4, height: 3, confidence: confidence, colors: Self.colors, likeness: likeness),
            recipe: "r")
    }

    func record(
        photo: String, pack: String = "", ordinal: Int = 0, added: Date = Date(timeIntervalSince1970: 1)
    ) -> StickerRecord {
        StickerRecord(
            StickerFacts(width: 512, height: 300, confidence: 0.9), pack: pack, photo: photo, ordinal: ordinal,
            file: ordinal == 0 ? "\(photo).png" : "\(photo)-\(ordinal).png", bytes: 5, sha256: "s", recipe: "r",
            added: added)
    }
}

extension PhotoLibrary {
    /// All stickers of a pack in order of arrival.
    func stickerRecords(ofPack pack: String) async throws -> [StickerRecord] {
        try await stickers(ofPack: pack, after: .start, limit: .max).map(\.sticker)
    }
}

extension PhotoLibrary.RemovalName {
    /// A name without a folder above, which may be a sticker's or a photo's.
    init(_ name: String, isPhoto: Bool = false) { self.init(sticker: name, photo: name, isPhoto: isPhoto) }
}
