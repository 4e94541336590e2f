import Foundation
import Gallery
import PackFacts
import PhotoColors
import Testing

/// A pack with a given number of stickers.
enum GalleryFixture {
    static func pack(_ name: String = "Pack", stickers: [PackEntry] = [sticker("cat")]) -> Pack {
        var pack = Pack(.init(name: name, identifier: "pack", publisher: "A publisher"), stickers: stickers)
        pack.revision = 7
        pack.pending = [.init(name: "dog")]
        pack.withoutSubject = [.init(name: "fog", reason: "no clear subject")]
        pack.photos = (pending: 1, without: 1, made: stickers.count)
        return pack
    }

    static func sticker(_ name: String, thumbnail: String? = nil) -> PackEntry {
        .init(
            id: "sha256:\(name)", name: name, file: "\(name).png", thumbnail: thumbnail, width: 512, height: 400,
            bytes: 1234, colors: PhotoColorSample("0000ff1388ff00001388"))
    }

    /// A page with `text` in every place that takes untrusted text.
    static func page(everywhere text: String) throws -> String {
        var pack = pack(text, stickers: [sticker(text, thumbnail: text)])
        pack.description = .init(name: text, identifier: text, publisher: text)
        pack.updated = text
        pack.pending = [.init(name: text)]
        pack.withoutSubject = [.init(name: text, reason: text)]
        return try page(
            pack, archive: .init(file: text, bytes: 1, stickers: 1), navigation: text, exports: text,
            baseURL: "https://example.org/")
    }

    static func page(
        _ pack: Pack = pack(), archive: GalleryPage.Archive? = nil, navigation: String = "../packs.js",
        exports: String? = nil, baseURL: String? = nil
    ) throws -> String {
        let page = GalleryPage(
            pack, colorCount: 5, archive: archive, navigation: navigation, exports: exports, baseURL: baseURL)
        return String(decoding: try page.bytes(stickers: .lines(pack.stickers.map(\.galleryJSON))), as: UTF8.self)
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
