import FileNames
import Foundation
import Gallery
import Outbox
import OutboxLayout
package import PackFacts
import PackLedger
import PhotoFacts
package import PhotoLibrary
import SystemPackage

extension Pack {
    /// The most pending or failed photos listed; `stickerd status` has the full counts.
    static let maxListed = 1000

    /// A pack as the Library has it.
    ///
    /// - Parameter first: of a divided pack, the stickers that the gallery's page has itself.
    init(
        _ description: Description, _ summary: Library.PackSummary, _ listing: Library.PackListing,
        first: [PackEntry]
    ) {
        self.init(
            description, stickers: listing.pages == nil ? listing.stickers.map { PackEntry($0) } : first,
            pages: listing.pages?.map {
                .init(file: $0.name.file(.index), count: $0.stickers, revision: $0.name.revision)
            })
        (revision, updated) = (summary.revision, summary.updated)
        (pending, failed) = (summary.pending.map(Photo.init), summary.failed.map(Photo.init))
        withoutSubject = summary.withoutSubject.map(Photo.init)
        removed = summary.removed.map { .init(id: PackEntry.identifier(ofPhoto: $0.photo, $0.ordinal), file: $0.file) }
        photos = (summary.pendingCount, summary.withoutStickerCount, summary.madeCount)
        cover = listing.stickers.first.map { PackEntry($0) }
    }

    /// The gallery's page, its script and its feed.
    ///
    /// - Parameters:
    ///   - folder: the pack's path in the outbox.
    ///   - isNewest: whether the ZIP has only the newest stickers.
    func page(
        in folder: String, archive: LedgerEntry?, isNewest: Bool, _ settings: PackSettings,
        _ gallery: PackSettings.Gallery, newest: [PackEntry], lines: OrderedJSON
    ) throws -> [PlannedFile] {
        var archive = GalleryPage.Archive(archive)
        archive?.isNewest = isNewest
        let baseURL = settings.baseURL(ofFolder: folder, gallery)
        let page = GalleryPage(
            self, colorCount: settings.colorCount, archive: archive,
            navigation: (folder.isEmpty ? "" : "../") + OutboxFile.packs,
            exports: gallery.hasExports && cover != nil
                ? OutboxSubfolder.exports.file(ExportFiles.script) : nil,
            baseURL: baseURL)
        var files = [try PlannedFile(PageCode.file.get(), PageCode.bytes)]
        if let baseURL {
            let feed = PackFeed.bytes(description, stickers: newest, baseURL: baseURL)
            files.append(try PlannedFile(OutboxFile.feed, feed))
        }
        // The page refers to the others.
        return files + [try PlannedFile(OutboxFile.page, try page.bytes(stickers: lines))]
    }
}

extension Pack.Photo {
    init(_ photo: Library.PackSummary.Photo) {
        self.init(name: photo.path.fileName, reason: photo.reason, colors: photo.colors)
    }
}

extension PackEntry {
    init(_ entry: Library.PackSticker) {
        self.init(entry.sticker)
        (colors, subjectColors) = (entry.colors, entry.subjectColors)
    }

    /// A sticker as the Library has it, without colors.
    package init(_ sticker: StickerRecord) {
        let words = StickerWords(of: sticker)
        self.init(
            id: PackEntry.identifier(ofPhoto: sticker.photo, sticker.ordinal), name: words.name, text: words.text,
            emoji: words.emoji.map(\.text), file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes, sha256: sticker.sha256, added: sticker.added,
            confidence: sticker.confidence, foundBy: sticker.foundBy?.rawValue)
    }
}
