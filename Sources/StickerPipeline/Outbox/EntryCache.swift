import Gallery
import PhotoColors
import PhotoLibrary
import Synchronization

/// The entries of an index as they were encoded last: one more sticker rewrites up to 100 entries on its page, or all of
/// a small pack, of which nearly all are unchanged. Most of an entry's cost is its colors.
final class EntryCache: Sendable {
    private struct Key: Hashable {
        let sticker: StickerRecord
        let colors: PhotoColorSample?
        let subjectColors: PhotoColorSample?
        let colorCount: Int
    }

    /// A full cache is emptied. An entry has about 2 KB, with its key 4 KB.
    private static let maxEntries = 1200

    private let entries = Mutex<[Key: [UInt8]]>([:])

    /// A sticker's object in JSON.
    func entry(of sticker: PhotoLibrary.PackSticker, colorCount: Int) -> [UInt8] {
        let key = Key(
            sticker: sticker.sticker, colors: sticker.colors, subjectColors: sticker.subjectColors,
            colorCount: colorCount)
        if let known = entries.withLock({ $0[key] }) { return known }
        var json = PageJSON()
        json.sticker(PackIndex.Sticker(sticker, colorCount: colorCount))
        let entry = json.take()
        entries.withLock { entries in
            if entries.count >= Self.maxEntries { entries = [:] }
            entries[key] = entry
        }
        return entry
    }
}
