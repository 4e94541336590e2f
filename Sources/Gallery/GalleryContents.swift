package import PhotoColors

/// Everything one pack's page says beside the stickers themselves, which `GalleryPage` takes one by one. Names, files
/// and reasons are untrusted text: the page escapes them.
///
/// Paths are plain, not percent-encoded, separated by `/`, and relative to the folder that the page is in.
package struct GalleryContents: Sendable {
    package struct Pack: Sendable {
        package var name: String
        /// Tells packs apart: the page keeps its reader's favorites under it.
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
        /// The path of its `index.html`.
        package var href: String

        package init(name: String, href: String) {
            self.name = name
            self.href = href
        }
    }

    /// `width` and `height` are the sticker's, in pixels, `bytes` is the length of its file.
    package struct Sticker: Sendable {
        /// Stays with the sticker from revision to revision: by it an open page keeps its reader's place.
        package var id: String
        package var file: String
        /// A small picture of it; nil where there is none, and `file` is shown instead.
        package var thumbnail: String?
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// The stem of the photo's file, as it stands in the name of the sticker's; else the stem of that.
        package var name: String
        /// ISO 8601.
        package var added: String
        /// Colors of the whole photo; nil where nobody knows them.
        package var photo: PhotoColorSample?
        /// Colors of the subject alone; nil likewise.
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
        /// The name of the photo's file, ending included.
        package var name: String

        package init(name: String) {
            self.name = name
        }
    }

    /// A photo that has no subject, or failed.
    package struct Without: Sendable {
        /// The name of the photo's file, ending included.
        package var name: String
        /// One line for a person; may be empty.
        package var reason: String
        /// Colors of the whole photo; nil where nobody knows them.
        package var photo: PhotoColorSample?

        package init(name: String, reason: String, photo: PhotoColorSample?) {
            self.name = name
            self.reason = reason
            self.photo = photo
        }
    }

    /// That of the `pack.json` that the page goes with.
    package var revision: Int
    /// ISO 8601.
    package var updated: String
    package var pack: Pack
    /// How many colors the page shows at first.
    package var colorCount: Int
    /// Nil where the page's folder has none.
    package var archive: Archive?
    package var packs: [Link]
    /// Photos that are not done, of `total`.
    package var pending: Int
    /// `pending`, and the photos that are done, with a sticker or without: what progress is measured by.
    package var total: Int
    package var stickerCount: Int
    /// The sticker that stands for the pack in link previews and browser tabs; nil where there is none yet.
    package var cover: Sticker?
    /// May list fewer than `pending`.
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
