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

    /// The ZIP of the pack's stickers.
    package struct Archive: Sendable {
        package var file: String
        package var bytes: Int
        /// How many stickers it contains; fewer than the page shows while more arrive.
        package var stickers: Int
        /// Whether it has only the newest stickers, because a ZIP of all would be too large.
        package var isNewest: Bool

        package init(file: String, bytes: Int, stickers: Int, isNewest: Bool = false) {
            self.file = file
            self.bytes = bytes
            self.stickers = stickers
            self.isNewest = isNewest
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
        /// What people read, as in `pack.json`.
        package var name: String
        /// As in `pack.json`.
        package var emoji: [String]
        /// ISO 8601.
        package var added: String
        /// Colors of the whole photo; nil if unknown.
        package var photo: PhotoColorSample?
        /// Colors of the subject alone; nil if unknown.
        package var subject: PhotoColorSample?

        package init(
            id: String, file: String, thumbnail: String?, width: Int, height: Int, bytes: Int, name: String,
            emoji: [String] = [], added: String, photo: PhotoColorSample?, subject: PhotoColorSample?
        ) {
            self.id = id
            self.file = file
            self.thumbnail = thumbnail
            self.width = width
            self.height = height
            self.bytes = bytes
            self.name = name
            self.emoji = emoji
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

    /// A script with some consecutive stickers of a large pack.
    package struct Page: Sendable, Equatable {
        /// The script's name without its extension.
        package var name: String
        package var stickers: Int

        package init(name: String, stickers: Int) {
            self.name = name
            self.stickers = stickers
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
    /// The path of the list of packs (`PackNavigation`).
    package var navigation: String
    /// The path of the list of exports (`PackDownloads`); nil if the pack has none.
    package var exports: String?
    /// Photos that are not finished, of `total`.
    package var pending: Int
    /// `pending`, and the finished photos, with a sticker or without, for the progress bar.
    package var total: Int
    package var stickerCount: Int
    /// The sticker that represents the pack in link previews and browser tabs; nil before the first one.
    package var cover: Sticker?
    /// The scripts that have all stickers, as the bytes of an `EncodedList` that writes them with `PageJSON.page`; nil if
    /// the page itself has all stickers. Otherwise it has those of the first scripts.
    package var pages: [UInt8]?
    /// May be shorter than the number of pending photos.
    package var waiting: [Waiting]
    /// May list fewer than there are.
    package var without: [Without]
    /// How many photos have no subject or failed, listed or not.
    package var withoutCount: Int

    package init(
        revision: Int, updated: String, pack: Pack, colorCount: Int, archive: Archive?, navigation: String,
        exports: String? = nil, pending: Int, total: Int, stickerCount: Int, cover: Sticker?, pages: [UInt8]? = nil,
        waiting: [Waiting], without: [Without],
        withoutCount: Int? = nil
    ) {
        self.revision = revision
        self.updated = updated
        self.pack = pack
        self.colorCount = colorCount
        self.archive = archive
        self.navigation = navigation
        self.exports = exports
        self.pending = pending
        self.total = total
        self.stickerCount = stickerCount
        self.cover = cover
        self.pages = pages
        self.waiting = waiting
        self.without = without
        self.withoutCount = withoutCount ?? without.count
    }
}
