package import PhotoColors

/// What the packs say of themselves and how they are shown; a reload may change all of it.
package struct PackSettings: Sendable, Equatable {
    /// The name of the root's pack; the others are named after their folder.
    package var name: String
    /// Of the root's pack; the others have a dot and their folder in the outbox behind it.
    package var identifier: String
    package var publisher: String
    /// How many colors of each photo are told at most, in `ColorExtractor.counts`.
    package var colorCount: Int
    /// Which palette files there are for each photo.
    package var paletteFormats: [PaletteFormat]
    /// Nil for no gallery.
    package var gallery: Gallery?
    /// Bytes that stay free on the disks of outbox and Library, whatever is derived from the stickers.
    package var minFreeBytes: Int

    package struct Gallery: Sendable, Equatable {
        /// Where the outbox can be seen on the web, for link previews; nil where it cannot, or nobody said.
        package var baseURL: String?
        /// No archive of a pack grows larger; 0 for none at all.
        package var maxArchiveBytes: Int

        package init(baseURL: String? = nil, maxArchiveBytes: Int) {
            self.baseURL = baseURL
            self.maxArchiveBytes = maxArchiveBytes
        }
    }

    package init(
        name: String, identifier: String, publisher: String, colorCount: Int, paletteFormats: [PaletteFormat] = [],
        gallery: Gallery? = nil, minFreeBytes: Int = 0
    ) {
        self.name = name
        self.identifier = identifier
        self.publisher = publisher
        self.colorCount = colorCount
        self.paletteFormats = paletteFormats
        self.gallery = gallery
        self.minFreeBytes = minFreeBytes
    }

    /// Where a pack's folder is on the web.
    func baseURL(ofFolder folder: String, _ gallery: Gallery) -> String? {
        gallery.baseURL.map { base in
            let base = base.hasSuffix("/") ? base : base + "/"
            return folder.isEmpty ? base : base + folder
        }
    }

    /// What a pack calls itself.
    ///
    /// - Parameters:
    ///   - pack: its name in the Library.
    ///   - folder: its folder in the outbox, relative to that.
    func description(ofPack pack: String, folder: String) -> PackIndex.Pack {
        .init(
            name: pack.isEmpty ? name : pack,
            identifier: folder.isEmpty ? identifier : "\(identifier).\(folder)", publisher: publisher)
    }
}
