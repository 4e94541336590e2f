import FileNames
import Gallery
package import PackFacts
package import PhotoColors

/// The settings of packs and gallery. A reload may change all of them.
package struct PackSettings: Sendable, Equatable {
    /// The name of the root pack; the others are named after their folders.
    package var name: String
    /// The identifier of the root pack; the others append a dot and their folder in the outbox.
    package var identifier: String
    package var publisher: String
    /// For stickers that have none; at most `Emoji.maxListed`.
    package var emoji: [Emoji]
    /// The most colors per photo, in `ColorExtractor.counts`.
    package var colorCount: Int
    /// The formats of each photo's palette files.
    package var paletteFormats: [PaletteFormat]
    /// nil for no gallery.
    package var gallery: Gallery?
    /// The bytes to keep free on the disks of outbox and Library.
    package var minFreeBytes: Int

    package struct Gallery: Sendable, Equatable {
        /// The outbox's URL on the web, for link previews and feeds; nil if unknown.
        package var baseURL: String?
        /// The largest ZIP of a pack; 0 for none.
        package var maxArchiveBytes: Int
        /// Whether the page offers the pack's exports.
        package var hasExports = false

        package init(baseURL: String? = nil, maxArchiveBytes: Int) {
            self.baseURL = baseURL
            self.maxArchiveBytes = maxArchiveBytes
        }
    }

    package init(
        name: String, identifier: String, publisher: String, emoji: [Emoji] = [], colorCount: Int,
        paletteFormats: [PaletteFormat] = [], gallery: Gallery? = nil, minFreeBytes: Int = 0
    ) {
        self.name = name
        self.identifier = identifier
        self.publisher = publisher
        self.emoji = emoji
        self.colorCount = colorCount
        self.paletteFormats = paletteFormats
        self.gallery = gallery
        self.minFreeBytes = minFreeBytes
    }

    /// The URL of a pack's folder on the web, with a slash at the end.
    func baseURL(ofFolder folder: String, _ gallery: Gallery) -> String? {
        gallery.baseURL.map { base in
            let base = base.hasSuffix("/") ? base : base + "/"
            return folder.isEmpty ? base : base + HTMLText.address(folder) + "/"
        }
    }

    /// A pack's name, identifier, publisher and emoji.
    ///
    /// - Parameters:
    ///   - pack: its name in the Library.
    ///   - folder: its folder in the outbox, relative to that.
    package func description(ofPack pack: String, folder: String) -> Pack.Description {
        let shown = InboxPath.shown(escaped: pack)
        return .init(
            name: pack.isEmpty ? name : shown.isEmpty ? folder : shown,
            identifier: folder.isEmpty ? identifier : "\(identifier).\(folder)", publisher: publisher,
            emoji: emoji.map(\.text), inboxFolder: shown.isExactly(pack) ? nil : pack)
    }
}
