import Gallery
import PhotoLibrary

/// A large pack's pages as `pack.json` and the gallery's page list them. Both are written for each new sticker, which
/// changes only the last page or two.
struct PageLists {
    /// In the order of the pack.
    private(set) var pages: [PackPage] = []
    /// How many stickers all pages have.
    private(set) var stickerCount = 0
    private var indexList = EncodedList<PackPage> { page, json in
        json.line { json in
            json.object { json in
                json.member("file", page.file)
                json.member("count", page.stickers)
                json.member("revision", page.revision)
            }
        }
    }
    private var scriptList = EncodedList<PackPage> { page, json in
        json.page(.init(name: page.stem, stickers: page.stickers))
    }

    /// The elements of `pages` in `pack.json`.
    var index: [UInt8] { indexList.bytes }
    /// Those in the gallery's page.
    var scripts: [UInt8] { scriptList.bytes }

    mutating func update(_ pages: [PackPage]) {
        self.pages = pages
        stickerCount = pages.reduce(0) { $0 + $1.stickers }
        indexList.update(pages)
        scriptList.update(pages)
    }
}

/// The lists of several packs as they were written last.
struct KeptPageLists {
    /// The most packs; beyond it, all are dropped. A page takes about 120 bytes in its pack's lists.
    private static let maxPacks = 12

    private var packs: [ExactName: PageLists] = [:]

    /// The lists of a pack's pages; nil if it has none.
    mutating func renewed(for pages: [PackPage]?, ofPack pack: String) -> PageLists? {
        let pack = ExactName(pack)
        guard let pages else {
            packs[pack] = nil
            return nil
        }
        if packs[pack] == nil, packs.count >= Self.maxPacks { packs = [:] }
        // In place: changing a copy would copy all of the encoded bytes.
        packs[pack, default: PageLists()].update(pages)
        return packs[pack]
    }
}
