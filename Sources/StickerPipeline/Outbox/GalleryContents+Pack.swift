import Foundation
import Gallery
import PhotoLibrary

extension GalleryContents {
    /// A page made of what the pack's index is made of.
    init(
        description: PackIndex.Pack, summary: PhotoLibrary.PackSummary, head: PackIndexFile.Head,
        cover: PhotoLibrary.PackSticker?, colorCount: Int, archive: Archive?, packs: [Link]
    ) {
        self.init(
            revision: head.revision, updated: head.updated,
            pack: .init(
                name: description.name, identifier: description.identifier, publisher: description.publisher),
            colorCount: colorCount, archive: archive, packs: packs, pending: summary.pendingCount,
            total: summary.pendingCount + summary.madeCount + summary.withoutStickerCount,
            stickerCount: summary.stickerCount, cover: cover.map(Sticker.init),
            waiting: summary.pending.map { .init(name: $0.path.fileName) },
            without: (summary.withoutSubject + summary.failed).map {
                .init(name: $0.path.fileName, reason: $0.reason ?? "", photo: $0.colors)
            })
    }
}

extension GalleryContents.Sticker {
    init(_ entry: PhotoLibrary.PackSticker) {
        let sticker = entry.sticker
        self.init(
            id: sticker.identifier, file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes,
            name: OutboxName.title(ofSticker: sticker.file, photo: sticker.photo),
            added: sticker.added.formatted(.packTime), photo: entry.colors, subject: entry.subjectColors)
    }
}
