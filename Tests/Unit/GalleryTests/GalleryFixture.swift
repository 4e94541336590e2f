import Foundation
import Gallery
import PhotoColors
import Testing

/// A pack with a given number of stickers.
enum GalleryFixture {
    static func contents(
        pack: String = "Pack", stickers: [GalleryContents.Sticker], archive: GalleryContents.Archive? = nil
    ) -> GalleryContents {
        GalleryContents(
            revision: 7, updated: "2026-01-01T00:00:00.000Z",
            pack: .init(name: pack, identifier: "pack", publisher: "A publisher"), colorCount: 5, archive: archive,
            navigation: "../packs.js", pending: 1, total: stickers.count + 2,
            stickerCount: stickers.count, cover: stickers.first, waiting: [.init(name: "dog")],
            without: [.init(name: "fog", reason: "no clear subject", photo: nil)])
    }

    static func sticker(_ name: String, thumbnail: String? = nil) -> GalleryContents.Sticker {
        .init(
            id: "sha256:\(name)", file: "\(name).png", thumbnail: thumbnail, width: 512, height: 400, bytes: 1234,
            name: name, added: "2026-01-01T00:00:00.000Z", photo: PhotoColorSample("0000ff1388ff00001388"), subject: nil
        )
    }

    /// With `text` in every place that takes untrusted text.
    static func contents(everywhere text: String) -> GalleryContents {
        var sticker = sticker(text, thumbnail: text)
        sticker.added = text
        var contents = contents(
            pack: text, stickers: [sticker], archive: .init(file: text, bytes: 1, stickers: 1))
        contents.pack = .init(name: text, identifier: text, publisher: text)
        contents.navigation = text
        contents.exports = text
        contents.waiting = [.init(name: text)]
        contents.without = [.init(name: text, reason: text, photo: nil)]
        return contents
    }

    /// The whole page, its stickers passed one by one.
    static func page(
        pack: String = "Pack", stickers: [GalleryContents.Sticker] = [sticker("cat")],
        archive: GalleryContents.Archive? = nil, baseURL: String? = nil
    ) throws -> String {
        try page(contents(pack: pack, stickers: stickers, archive: archive), stickers: stickers, baseURL: baseURL)
    }

    /// The whole page, `piece` stickers at a time.
    static func page(
        _ contents: GalleryContents, stickers: [GalleryContents.Sticker], baseURL: String? = nil, piece: Int = 1
    ) throws -> String {
        var page = GalleryPage(contents, baseURL: baseURL)
        var bytes = try page.opening()
        for start in stride(from: 0, to: stickers.count, by: piece) {
            bytes += page.stickers(stickers[start..<min(start + piece, stickers.count)].map(GalleryEntry.init))
        }
        return String(decoding: bytes + page.closing(), as: UTF8.self)
    }

    /// The page's data block, decoded by Foundation's parser.
    static func data(of page: String) throws -> [String: Any] {
        let json = try #require(between("<script type=\"application/json\" id=\"contents\">", "</script>", page))
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    /// The page without its data block.
    static func outside(_ page: String) -> String {
        let parts = page.components(separatedBy: "id=\"contents\">")
        return parts[0] + (parts.last?.components(separatedBy: "</script>").dropFirst().joined() ?? "")
    }

    static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex)
        else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }
}
