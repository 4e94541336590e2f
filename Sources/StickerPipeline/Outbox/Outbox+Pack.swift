import FileNames
import Foundation
import Gallery
import LinuxIO
import PackFacts
import PhotoLibrary
import SystemPackage

/// What is written about a pack as a whole, and the index that is on disk.
extension Outbox {
    /// The fewest stickers that the gallery's page of a divided pack has itself: as many as a large window shows at
    /// once, so that they are painted before any script is read.
    private static let firstStickers = 60

    /// The stickers of the first pages, as their files list them.
    func firstEntries(of pages: [PackPage], ofPack pack: String) async throws -> [PackEntry] {
        var first: [PackEntry] = []
        for page in pages where first.count < Self.firstStickers {
            // If a sticker has changed since, the gallery takes all from the script.
            guard let stickers = try await library.stickers(of: page, ofPack: pack) else { break }
            first += stickers.map { PackEntry($0) }
        }
        return first
    }

    /// A pack's index. Gives the pack the number and date of the recorded one if the contents have not changed,
    /// otherwise the next ones.
    ///
    /// - Parameters:
    ///   - contents: with the recorded number and date.
    ///   - recorded: the index in the ledger. If it is not as it was written, the number on disk may be a higher one.
    func index(
        _ contents: inout Pack, colorCount: Int, _ recorded: LedgerEntry?, ofPack pack: String
    ) async throws -> PlannedFile {
        let body = Array(",\n".utf8) + indexJSON(of: contents, colorCount: colorCount).dropFirst() + Array("\n".utf8)
        let key = try ContentDigest.sha256(of: body).hex
        if recorded?.stamp == nil || recorded?.key != key {
            let onDisk = recorded?.stamp == nil ? try await storedHead(ofPack: pack) : nil
            if let onDisk, onDisk.digest == key {
                (contents.revision, contents.updated) = (onDisk.head.revision, onDisk.head.updated)
            } else {
                contents.revision = max(onDisk?.head.revision ?? 0, contents.revision) + 1
                contents.updated = Date.now.formatted(.packTime)
            }
        }
        let head = IndexHead(revision: contents.revision, updated: contents.updated)
        return PlannedFile(OutboxName.index, head.bytes + body, key: key)
    }

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil if stickerd wrote none.
    private func storedHead(ofPack pack: String) async throws -> (head: IndexHead, digest: String)? {
        let path = try await path(ofPack: pack).appending(OutboxName.index)
        guard let file = try? RegularFile.open(path),
            let beginning = try? file.read(upTo: IndexHead.maxBytes),
            let (head, length) = IndexHead.parse(beginning),
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max)
        else { return nil }
        return (head, digest.hex)
    }
}

/// The first part of `pack.json`, which changes with every revision.
struct IndexHead: Codable, Equatable {
    var schemaVersion = Pack.schemaVersion
    var revision: Int
    /// ISO 8601.
    var updated: String

    var bytes: [UInt8] {
        Array("{\"schemaVersion\":\(schemaVersion),\"revision\":\(revision),\"updated\":\"\(updated)\"".utf8)
    }

    /// The head of a file that stickerd wrote, and its length; nil for any other.
    static func parse(_ beginning: [UInt8]) -> (head: IndexHead, length: Int)? {
        guard let end = beginning.firstRange(of: Array(",\n".utf8))?.lowerBound,
            let head = try? JSONDecoder().decode(IndexHead.self, from: Data(beginning[..<end] + [UInt8(ascii: "}")])),
            revisions.contains(head.revision)
        else { return nil }
        return (head, end)
    }

    /// Revisions of indexes that stickerd wrote: others would overflow, or are no exact numbers in JavaScript.
    static let revisions = 1..<1 << 53
    /// The longest head.
    static let maxBytes = 256
}

extension Pack {
    /// The most pending or failed photos listed; `stickerd status` has the full counts.
    static let maxListed = 1000

    /// A pack as the Library has it.
    ///
    /// - Parameter first: of a divided pack, the stickers that the gallery's page has itself.
    init(
        _ description: Description, _ summary: PhotoLibrary.PackSummary, _ listing: PhotoLibrary.PackListing,
        first: [PackEntry]
    ) {
        self.init(
            description, stickers: listing.pages == nil ? listing.stickers.map { PackEntry($0) } : first,
            pages: listing.pages?.map { .init(file: $0.file, count: $0.stickers, revision: $0.revision) })
        (revision, updated) = (summary.revision, summary.updated)
        (pending, failed) = (summary.pending.map(Photo.init), summary.failed.map(Photo.init))
        withoutSubject = summary.withoutSubject.map(Photo.init)
        removed = summary.removed.map { .init(id: PackEntry.identifier(ofPhoto: $0.photo, $0.ordinal), file: $0.file) }
        photos = (summary.pendingCount, summary.withoutStickerCount, summary.madeCount)
        cover = listing.stickers.first.map { PackEntry($0) }
    }

    /// The gallery's page and its script.
    ///
    /// - Parameters:
    ///   - folder: the pack's path in the outbox.
    ///   - archive: the ZIP in the ledger.
    ///   - isNewest: whether the ZIP has only the newest stickers.
    func page(
        in folder: String, archive: LedgerEntry?, isNewest: Bool, _ settings: PackSettings,
        _ gallery: PackSettings.Gallery
    ) throws -> [PlannedFile] {
        var archive = GalleryPage.Archive(archive)
        archive?.isNewest = isNewest
        let page = GalleryPage(
            self, colorCount: settings.colorCount, archive: archive,
            navigation: (folder.isEmpty ? "" : "../") + PackNavigation.fileName,
            exports: gallery.hasExports && cover != nil
                ? "\(OutboxSubfolder.exports.rawValue)/\(ExportFiles.script)" : nil,
            baseURL: settings.baseURL(ofFolder: folder, gallery))
        return [
            try PlannedFile(PageCode.file.get(), PageCode.bytes),
            try PlannedFile(GalleryPage.fileName, try page.bytes()),
        ]
    }
}

extension Pack.Photo {
    init(_ photo: PhotoLibrary.PackSummary.Photo) {
        self.init(name: photo.path.fileName, reason: photo.reason, colors: photo.colors)
    }
}

extension PackEntry {
    init(_ entry: PhotoLibrary.PackSticker) {
        self.init(entry.sticker)
        (colors, subjectColors) = (entry.colors, entry.subjectColors)
    }

    /// A sticker as the Library has it, without colors.
    init(_ sticker: StickerRecord) {
        let words = StickerWords(of: sticker)
        self.init(
            id: PackEntry.identifier(ofPhoto: sticker.photo, sticker.ordinal), name: words.name, text: words.text,
            emoji: words.emoji.map(\.text), file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes, sha256: sticker.sha256, added: sticker.added,
            confidence: sticker.confidence)
    }
}

extension StickerRecord {
    /// Relative to the pack's folder.
    package var thumbnailFile: String? { thumbnail.map { "\(OutboxSubfolder.thumbnails.rawValue)/\($0)" } }
}
