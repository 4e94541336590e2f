import Gallery
import PhotoColors
import PhotoLibrary
import Synchronization

/// The entries of an index and of the gallery as they were encoded last: one more sticker rewrites up to 100 entries on
/// its page, or all of a small pack, of which nearly all are unchanged. Most of an entry's cost is its colors.
final class EntryCache: Sendable {
    private struct Key: Hashable {
        let sticker: StickerRecord
        let colors: PhotoColorSample?
        let subjectColors: PhotoColorSample?
        /// nil for the gallery, which chooses the colors itself.
        let colorCount: Int?

        // Equality compares all properties; hashing all of them would take longer than comparing them.
        func hash(into hasher: inout Hasher) {
            hasher.combine(sticker.photo)
            hasher.combine(colorCount)
        }
    }

    /// No two contents of a page have the same revision.
    private struct Page: Hashable {
        let pack: ExactName
        let page: PackPage
    }

    /// The most pages. The gallery of a pack has the first few in its HTML.
    private static let maxPages = 12

    /// Of each kind; a full cache is emptied. An entry of the index has about 2 KB, one of the gallery less than 1 KB.
    /// Keys of the same sticker share most of their memory.
    private static let maxEntries = 1200

    private struct State {
        var index: [Key: [UInt8]] = [:]
        var gallery: [Key: GalleryEntry] = [:]
        var pages: [Page: [GalleryEntry]] = [:]
    }

    private let state = Mutex(State())

    /// A sticker's object in the index.
    func entry(of sticker: PhotoLibrary.PackSticker, colorCount: Int) -> [UInt8] {
        let key = Key(
            sticker: sticker.sticker, colors: sticker.colors, subjectColors: sticker.subjectColors,
            colorCount: colorCount)
        if let known = state.withLock({ $0.index[key] }) { return known }
        var json = PageJSON()
        json.sticker(PackIndex.Sticker(sticker, colorCount: colorCount))
        let entry = json.take()
        state.withLock { state in
            if state.index.count >= Self.maxEntries { state.index = [:] }
            state.index[key] = entry
        }
        return entry
    }

    /// The same in the gallery.
    func galleryEntry(of sticker: PhotoLibrary.PackSticker) -> GalleryEntry {
        let key = Key(
            sticker: sticker.sticker, colors: sticker.colors, subjectColors: sticker.subjectColors, colorCount: nil)
        if let known = state.withLock({ $0.gallery[key] }) { return known }
        let entry = GalleryEntry(GalleryContents.Sticker(sticker))
        state.withLock { state in
            if state.gallery.count >= Self.maxEntries { state.gallery = [:] }
            state.gallery[key] = entry
        }
        return entry
    }

    /// The entries of a page in the gallery; nil if they were not encoded lately.
    func galleryEntries(of page: PackPage, ofPack pack: String) -> [GalleryEntry]? {
        state.withLock { $0.pages[Page(pack: ExactName(pack), page: page)] }
    }

    /// Encodes and keeps the entries of a page that has these stickers.
    func encodeGalleryEntries(
        of page: PackPage, ofPack pack: String, _ stickers: [PhotoLibrary.PackSticker]
    ) -> [GalleryEntry] {
        let entries = stickers.map(galleryEntry)
        state.withLock { state in
            if state.pages.count >= Self.maxPages { state.pages = [:] }
            state.pages[Page(pack: ExactName(pack), page: page)] = entries
        }
        return entries
    }
}
