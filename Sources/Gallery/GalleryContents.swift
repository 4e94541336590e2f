package import PhotoColors

/// Everything on one pack's page except the stickers themselves, which `GalleryPage` takes one by one. Names, files
/// and reasons are untrusted text: the page escapes them.
///
/// Paths are plain, not percent-encoded, separated by `/`, and relative to the page's folder.
package struct GalleryContents: Sendable {
    package struct Pack: Sendable {
        package var name: String
        /// Distinguishes packs: the browser stores favorites under it.
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
        /// How many stickers it contains; fewer than the page shows while more arrive.
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
        /// The path of its `index.html`.
        package var href: String

        package init(name: String, href: String) {
            self.name = name
            self.href = href
        }
    }

    /// `width` and `height` are the sticker's, in pixels, `bytes` is the length of its file.
    package struct Sticker: Sendable {
        /// The same in every revision: an open page uses it to keep its reader's place.
        package var id: String
        package var file: String
        /// The file of a small version; nil if there is none, and `file` is shown instead.
        package var thumbnail: String?
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// The stem of the photo's file, as in the sticker's name; otherwise the sticker's stem.
        package var name: String
        /// ISO 8601.
        package var added: String
        /// Colors of the whole photo; nil if unknown.
        package var photo: PhotoColorSample?
        /// Colors of the subject alone; nil if unknown.
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

    /// A photo that is pending or in progress.
    package struct Waiting: Sendable {
        /// The name of the photo's file, with its extension.
        package var name: String

        package init(name: String) {
            self.name = name
        }
    }

    /// A photo that has no subject, or failed.
    package struct Without: Sendable {
        /// The name of the photo's file, with its extension.
        package var name: String
        /// A one-line message; may be empty.
        package var reason: String
        /// Colors of the whole photo; nil if unknown.
        package var photo: PhotoColorSample?

        package init(name: String, reason: String, photo: PhotoColorSample?) {
            self.name = name
            self.reason = reason
            self.photo = photo
        }
    }

    /// The revision of the page's `pack.json`.
    package var revision: Int
    /// ISO 8601.
    package var updated: String
    package var pack: Pack
    /// How many colors the page shows initially.
    package var colorCount: Int
    /// Nil if the page's folder has no ZIP.
    package var archive: Archive?
    package var packs: [Link]
    /// Photos that are not finished, of `total`.
    package var pending: Int
    /// `pending`, and the finished photos, with a sticker or without, for the progress bar.
    package var total: Int
    package var stickerCount: Int
    /// The sticker that represents the pack in link previews and browser tabs; nil before the first one.
    package var cover: Sticker?
    /// May be shorter than the number of pending photos.
    package var waiting: [Waiting]
    /// May list fewer than there are.
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
