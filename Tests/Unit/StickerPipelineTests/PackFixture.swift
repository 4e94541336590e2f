import FileNames
import OutboxLayout
import Foundation
import LinuxIO
import Outbox
import PackFacts
import PackLedger
import Packs
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoRaster
import Synchronization
import SystemPackage
import Testing
import TestSupport

private final class WriteCount: Sendable {
    let value = Atomic(0)
}

struct FoundFile: Equatable {
    let bytes: [UInt8]
    let inode: UInt64
}

/// Finishes claimed files without workers, and runs a PackWriter.
struct PackFixture {
    let fixture: PipelineFixture
    private let count = WriteCount()

    /// Pure red.
    static let red = ColorExtractor(Raster(width: 1, height: 1, pixels: [255, 0, 0, 255])).sample()

    init(_ fixture: PipelineFixture = PipelineFixture()) { self.fixture = fixture }

    /// Finishes the claim as a sticker whose file contains the photo's name.
    func finish(_ claim: Claim, photo: String) async throws {
        let library = fixture.library
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.resolve(claim, photo: photo)
        let data = Array(photo.utf8)
        let candidates = OutboxName.stickers(stem: claim.path.stem, photo: photo, ordinal: 0, fileExtension: "png")
        let reserved = try await fixture.outbox.reserveName(
            forPhoto: photo, recipe: "r", candidates: candidates, claim: claim)
        let name = try #require(reserved)
        let sticker = StickerRecord(
            StickerFacts(width: 9, height: 7, confidence: 0.75, foundBy: .background), pack: claim.pack, photo: photo,
            file: name, stem: claim.path.stem, bytes: data.count, sha256: try ContentDigest.sha256(of: data).hex,
            recipe: "r")
        try await fixture.outbox.publish(data, named: name, inPack: claim.pack)
        try await library.finish(
            claim,
            as: .made(
                [sticker],
                result: .init(
                    photo: photo,
                    facts: PhotoFacts(format: .png, width: 90, height: 70, confidence: 0.75, colors: Self.red),
                    recipe: "r"),
                stems: OutboxName.stems(stem: claim.path.stem, photo: photo)))
    }

    /// Finishes waiting files in this order.
    func finishAll(_ names: [String]) async throws {
        let claims = try await fixture.library.claim(limit: 100)
        for name in names {
            guard let claim = claims.first(where: { $0.path == PipelineFixture.path(name) }) else { continue }
            try await finish(claim, photo: try ContentDigest.sha256(of: Array(name.utf8)).hex)
        }
    }

    /// Makes stickers of photos with these names, in this order.
    func make(_ names: [String]) async throws {
        for name in names { try await fixture.arrive(name) }
        try await finishAll(names)
    }

    /// The same of photos whose names are numbers.
    func make(_ numbers: ClosedRange<Int>) async throws { try await make(numbers.map { "\($0).png" }) }

    /// The gallery's page of the root pack.
    var page: String { fixture.folder.text(of: "outbox/index.html") ?? "" }

    /// The names in a folder of the outbox, without the marker.
    func names(_ folder: String = "") -> Set<String> {
        Set((try? fixture.folder.names(in: "outbox/\(folder)")) ?? []).subtracting([OutboxMarker.fileName])
    }

    /// Advances the clock until the outbox has this file.
    func untilThere(_ name: String) async throws {
        try await fixture.until { fixture.folder.exists("outbox/\(name)") }
    }

    /// Bytes and inode of each file in the outbox, by its path. A file that is rewritten gets another inode.
    func files() throws -> [String: FoundFile] {
        let outbox = fixture.folder["outbox"]
        return try FileManager.default.subpathsOfDirectory(atPath: outbox.string).reduce(into: [:]) { files, name in
            // A draft may be gone by now.
            guard let status = try? FileStatus(of: outbox.appending(name)), status.kind == .regular,
                name != OutboxMarker.fileName
            else { return }
            files[name] = FoundFile(
                bytes: fixture.folder.bytes(of: "outbox/\(name)") ?? [], inode: status.identity.inode)
        }
    }

    /// How often the current writer has written.
    var writes: Int { count.value.load(ordering: .relaxed) }

    /// Advances the clock until the current writer has written this often.
    func untilWritten(_ times: Int = 1) async throws {
        #expect(try await fixture.eventually { writes >= times })
    }

    func index(_ pack: String = "") throws -> Pack? {
        try fixture.folder.bytes(of: "outbox/\(pack)/\(OutboxFile.index)").map {
            try JSONDecoder().decode(Pack.self, from: Data($0))
        }
    }

    /// Runs a writer during `body`, then makes it write what is left.
    func writing(
        as publisher: String = "me", emoji: [String] = [], colorCount: Int = 5, palettes: [PaletteFormat] = [],
        gallery: PackSettings.Gallery? = nil, minFreeBytes: Int = 0, pageSizes: PageSizes = .standard,
        writes: AsyncStream<Void>.Continuation? = nil, _ body: (PackWriter) async throws -> Void = { _ in }
    ) async throws {
        count.value.store(0, ordering: .relaxed)
        let writer = PackWriter(
            library: fixture.library, outbox: fixture.outbox,
            settings: PackSettings(
                name: "Stickers", identifier: "stickers", publisher: publisher, emoji: emoji.compactMap { Emoji($0) },
                colorCount: colorCount, paletteFormats: palettes, gallery: gallery, minFreeBytes: minFreeBytes),
            conditions: fixture.conditions, pageSizes: pageSizes, logger: fixture.logger,
            hasWritten: { [count] in
                count.value.add(1, ordering: .relaxed)
                writes?.yield()
            })
        async let end: Void = {
            defer { writes?.finish() }
            try await writer.run()
        }()
        do {
            try await body(writer)
        } catch {
            writer.stop()
            throw error
        }
        writer.stop()
        try await end
    }
}
