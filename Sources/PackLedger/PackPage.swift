import GRDB
package import OutboxLayout

/// A part of a large pack's index: consecutive stickers that are listed in files of their own.
package struct PackPage: Sendable, Hashable {
    /// Of its files.
    package let name: PageName
    /// How many stickers the file lists.
    package let stickers: Int
    /// The arrival at which its range begins.
    let first: Int64

    init(number: Int, revision: Int, stickers: Int, first: Int64) {
        name = PageName(number: number, revision: revision)
        (self.stickers, self.first) = (stickers, first)
    }
}

extension PackPage: FetchableRecord {
    /// From columns of `page`: number, version, stickers, first; or of the page as it is in its file, number, written,
    /// listed, first. Looking them up by name takes several times as long, and a pack may have a thousand pages.
    init(row: Row) { self.init(number: row[0], revision: row[1], stickers: row[2], first: row[3]) }
}

/// When a pack's index is divided into pages, and how many stickers these have. Small pages keep the cost of one more
/// sticker low: it rewrites one page.
package struct PageSizes: Sendable {
    /// A pack with more stickers than this is divided.
    package var maxUndivided: Int
    /// How many stickers the last page gets before the next one begins. Stickers that are finished late make a page
    /// larger; one with more than twice as many is divided.
    package var maxStickers: Int

    package static let standard = PageSizes(maxUndivided: 1000, maxStickers: 100)

    package init(maxUndivided: Int, maxStickers: Int) {
        self.maxUndivided = maxUndivided
        self.maxStickers = maxStickers
    }
}
