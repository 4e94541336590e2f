import Foundation
import Gallery
import LinuxIO
import PhotoLibrary
import SystemPackage

/// A pack's page, and the index that is on disk.
extension Outbox {
    /// The fewest stickers that the gallery's page of a divided pack has itself: as many as a large window shows at
    /// once, so that they are painted before any script is read.
    private static let firstStickers = 60

    /// The stickers of each of the first pages, as their files list them.
    fileprivate func firstEntries(
        of pages: [PackPage], ofPack pack: String, _ cache: EntryCache
    ) async throws -> [[GalleryEntry]] {
        var first: [[GalleryEntry]] = []
        for page in pages where first.reduce(0, { $0 + $1.count }) < Self.firstStickers {
            var entries = cache.galleryEntries(of: page, ofPack: pack)
            if entries == nil, let stickers = try await library.stickers(of: page, ofPack: pack) {
                entries = cache.encodeGalleryEntries(of: page, ofPack: pack, stickers)
            }
            // If a sticker has changed since, the gallery takes all from the script.
            guard let entries else { break }
            first.append(entries)
        }
        return first
    }

    /// A pack's index: with the recorded number and date if its contents have not changed, otherwise with the next ones.
    ///
    /// - Parameter recorded: the index in the ledger. If it is not as it was written, the number on disk may be a higher one.
    func plan(
        _ index: PackIndexFile, _ recorded: LedgerEntry?, ofPack pack: String
    ) async throws -> (head: PackIndexFile.Head, file: PlannedFile) {
        let body = index.body()
        let key = try ContentDigest.sha256(of: body).hex
        var head = PackIndexFile.Head(revision: index.summary.revision, updated: index.summary.updated)
        if recorded?.stamp == nil || recorded?.key != key {
            let onDisk = recorded?.stamp == nil ? try await self.index(ofPack: pack) : nil
            if let onDisk, onDisk.digest == key {
                head = onDisk.head
            } else {
                head.revision = max(onDisk?.head.revision ?? 0, head.revision) + 1
                head.updated = Date.now.formatted(.packTime)
            }
        }
        return (head, PlannedFile(PackIndex.fileName, head.bytes + body, key: key))
    }

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil if stickerd wrote none.
    private func index(ofPack pack: String) async throws -> (head: PackIndexFile.Head, digest: String)? {
        let path = try await path(ofPack: pack).appending(PackIndex.fileName)
        guard let file = try? RegularFile.open(path),
            let beginning = try? file.read(upTo: PackIndexFile.Head.maxBytes),
            let (head, length) = PackIndexFile.Head.parse(beginning),
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max)
        else { return nil }
        return (head, digest.hex)
    }
}

/// What a pack's page in the gallery is made from.
struct PackPagePlan {
    let index: PackIndexFile
    /// Of the index on disk.
    let head: PackIndexFile.Head
    /// The pack's first sticker.
    let cover: PhotoLibrary.PackSticker?
    /// The pack's path in the outbox.
    let folder: String
    let pack: String
    /// nil if the pack is to have no page.
    let settings: PackSettings?

    /// The page's script and the page. If the index is divided, the page has only the first stickers.
    func files(archive: LedgerEntry?, through outbox: Outbox) async throws -> [PlannedFile] {
        guard let settings, let gallery = settings.gallery else { return [] }
        var archive = GalleryContents.Archive(archive)
        archive?.isNewest = PackArchive.skipped(index.summary, limit: gallery.maxArchiveBytes) > 0
        let contents = GalleryContents(
            index, head: head, cover: cover, archive: archive,
            navigation: (folder.isEmpty ? "" : "../") + PackNavigation.fileName,
            exports: gallery.hasExports && index.summary.stickerCount > 0
                ? "\(OutboxSubfolder.exports.rawValue)/\(ExportFiles.script)" : nil)
        var page = GalleryPage(contents, baseURL: settings.baseURL(ofFolder: folder, gallery))
        var bytes = try page.opening()
        if let pages = index.pages {
            for entries in try await outbox.firstEntries(of: pages.pages, ofPack: pack, index.cache) {
                bytes += page.stickers(entries)
            }
        } else {
            bytes += page.stickers(index.stickers.map(index.cache.galleryEntry))
        }
        return [
            try PlannedFile(PageCode.file.get(), PageCode.bytes),
            try PlannedFile(GalleryPage.fileName, bytes + page.closing()),
        ]
    }
}

extension GalleryContents {
    /// The most photos of each kind without a sticker on the page of a divided pack: it is written for each sticker.
    private static let maxListed = 50

    /// The contents of a pack's page, from the same data as its index.
    init(
        _ index: PackIndexFile, head: PackIndexFile.Head, cover: PhotoLibrary.PackSticker?, archive: Archive?,
        navigation: String, exports: String?
    ) {
        let (description, summary) = (index.description, index.summary)
        let limit = index.pages == nil ? .max : Self.maxListed
        self.init(
            revision: head.revision, updated: head.updated,
            pack: .init(
                name: description.name, identifier: description.identifier, publisher: description.publisher),
            colorCount: index.colorCount, archive: archive, navigation: navigation,
            exports: exports, pending: summary.pendingCount,
            total: summary.pendingCount + summary.madeCount + summary.withoutStickerCount,
            stickerCount: summary.stickerCount, cover: cover.map(Sticker.init),
            pages: index.pages?.scripts,
            waiting: summary.pending.prefix(limit).map { .init(name: $0.path.fileName) },
            without: (summary.withoutSubject.prefix(limit) + summary.failed.prefix(limit)).map {
                .init(name: $0.path.fileName, reason: $0.reason ?? "", photo: $0.colors)
            }, withoutCount: summary.withoutStickerCount)
    }
}

extension GalleryContents.Sticker {
    init(_ entry: PhotoLibrary.PackSticker) {
        let sticker = entry.sticker
        let words = StickerWords(of: sticker)
        self.init(
            id: sticker.identifier, file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes, name: words.name, emoji: words.emoji.map(\.text),
            added: sticker.added.formatted(.packTime), photo: entry.colors, subject: entry.subjectColors)
    }
}
