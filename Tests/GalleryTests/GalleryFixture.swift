import Foundation
import Gallery
import PhotoColors
import Testing

/// A pack with as many stickers as a test asks for.
enum GalleryFixture {
    static func contents(
        pack: String = "Pack", stickers: [GalleryContents.Sticker], archive: GalleryContents.Archive? = nil
    ) -> GalleryContents {
        GalleryContents(
            revision: 7, updated: "2026-01-01T00:00:00.000Z",
            pack: .init(name: pack, identifier: "pack", publisher: "Somebody"), colorCount: 5, archive: archive,
            packs: [.init(name: "Holiday", href: "Holiday/index.html")], pending: 1, total: stickers.count + 2,
            stickerCount: stickers.count, cover: stickers.first, waiting: [.init(name: "dog")],
            without: [.init(name: "fog", reason: "no clear subject", photo: nil)])
    }

    static func sticker(_ name: String, thumbnail: String? = nil) -> GalleryContents.Sticker {
        .init(
            id: "sha256:\(name)", file: "\(name).png", thumbnail: thumbnail, width: 512, height: 400, bytes: 1234,
            name: name, added: "2026-01-01T00:00:00.000Z", photo: PhotoColorSample("0000ff1388ff00001388"), subject: nil
        )
    }

    /// The whole page, its stickers handed over one by one.
    static func page(
        pack: String = "Pack", stickers: [GalleryContents.Sticker] = [sticker("cat")],
        archive: GalleryContents.Archive? = nil, baseURL: String? = nil
    ) throws -> String {
        var page = GalleryPage(contents(pack: pack, stickers: stickers, archive: archive), baseURL: baseURL)
        var bytes = try page.opening()
        for sticker in stickers { bytes += page.stickers([sticker]) }
        return String(decoding: bytes + page.closing(), as: UTF8.self)
    }

    /// The page's data block, decoded by somebody else's parser.
    static func data(of page: String) throws -> [String: Any] {
        let json = try #require(between("<script type=\"application/json\" id=\"contents\">", "</script>", page))
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex)
        else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }
}
