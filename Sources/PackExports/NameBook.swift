/// The sets and the short names that stickers have in exports. They stay as they are when stickers come and go, so the
/// book is kept in a file beside the exports (`names.json`), which users may edit.
package struct NameBook: Equatable, Sendable {
    package static let fileName = "names.json"
    /// The most entries that a book may have, those of removed stickers included.
    package static let maxStickers = 250_000

    package struct Entry: Equatable, Sendable {
        /// A name for typing: `[a-z0-9_]{2,}`, unique in the pack; nil if no export has needed it yet.
        package var shortcode: String?
        /// By export: the number of its set, from 1.
        package var sets: [String: Int]?
        /// By export that names files by numbers: its number in the set, from 1.
        package var numbers: [String: Int]?
    }

    /// By the name of the sticker's file. Entries of removed stickers stay: their names are not given again.
    package var stickers: [String: Entry] = [:]

    package init() {}
}
