package import PhotoColors

/// Everything one pack's page says beside the stickers themselves, which `GalleryPage` takes one by one. Names, files and reasons are untrusted text: the page escapes them.
///
/// Paths are plain, not percent-encoded, separated by `/`, and relative to the folder that the page is in.
package struct GalleryContents: Sendable {
    package struct Pack: Sendable {
        package var name: String
        package var identifier: String
        package var publisher: String

        package init(name: String, identifier: String, publisher: String) {
            self.name = name
            self.identifier = identifier
            self.publisher = publisher
        }
    }

    /// The ZIP of the whole pack.
    package struct Archive: Sendable {
        package var file: String
        package var bytes: Int
        /// How many it holds, which may be fewer than the page shows while more come in.
        package var stickers: Int

        package init(file: String, bytes: Int, stickers: Int) {
            self.file = file
            self.bytes = bytes
            self.stickers = stickers
        }
    }

    /// Another pack's page.
    package struct Link: Sendable {
        package var name: String
        package var href: String

        package init(name: String, href: String) {
            self.name = name
            self.href = href
        }
    }

    package struct Sticker: Sendable {
        /// Stays with the sticker from revision to revision: by it an open page keeps its reader's place.
        package var id: String
        package var file: String
        package var thumbnail: String?
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// The stem of the photo's file.
        package var name: String
        /// ISO 8601.
        package var added: String
        /// Colors of the whole photo; nil where nobody knows them.
        package var photo: PhotoColorSample?
        package var subject: PhotoColorSample?

        package init(
            id: String, file: String, thumbnail: String?, width: Int, height: Int, bytes: Int, name: String,
            added: String, photo: PhotoColorSample?, subject: PhotoColorSample?
        ) {
            self.id = id
            self.file = file
            self.thumbnail = thumbnail
            self.width = width
            self.height = height
            self.bytes = bytes
            self.name = name
            self.added = added
            self.photo = photo
            self.subject = subject
        }
    }

    /// A photo that is still in the queue or in hand.
    package struct Waiting: Sendable {
        package var name: String

        package init(name: String) {
            self.name = name
        }
    }

    /// A photo that has no subject, or failed.
    package struct Without: Sendable {
        package var name: String
        package var reason: String
        package var photo: PhotoColorSample?

        package init(name: String, reason: String, photo: PhotoColorSample?) {
            self.name = name
            self.reason = reason
            self.photo = photo
        }
    }

    package var revision: Int
    /// ISO 8601.
    package var updated: String
    package var pack: Pack
    /// How many colors the page shows at first.
    package var colorCount: Int
    package var archive: Archive?
    package var packs: [Link]
    /// Photos that are not done, of `total`.
    package var pending: Int
    package var total: Int
    package var stickerCount: Int
    /// The sticker that stands for the pack in link previews and browser tabs.
    package var cover: Sticker?
    /// May list fewer than `pending`.
    package var waiting: [Waiting]
    package var without: [Without]

    package init(
        revision: Int, updated: String, pack: Pack, colorCount: Int, archive: Archive?, packs: [Link], pending: Int,
        total: Int, stickerCount: Int, cover: Sticker?, waiting: [Waiting], without: [Without]
    ) {
        self.revision = revision
        self.updated = updated
        self.pack = pack
        self.colorCount = colorCount
        self.archive = archive
        self.packs = packs
        self.pending = pending
        self.total = total
        self.stickerCount = stickerCount
        self.cover = cover
        self.waiting = waiting
        self.without = without
    }
}
