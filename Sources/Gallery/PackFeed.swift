import Foundation
import OutboxLayout
package import PackFacts

/// A pack's newest stickers, for feed readers: JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). All addresses are
/// absolute. The same stickers give the same bytes.
package enum PackFeed {
    /// The most stickers listed.
    package static let maxStickers = 50

    /// In UTF-8, the newest sticker first.
    ///
    /// - Parameters:
    ///   - stickers: in order of arrival; more than `maxStickers` are cut at the beginning.
    ///   - baseURL: the web address of the pack's folder, with a slash at the end.
    package static func bytes(_ description: Pack.Description, stickers: [PackEntry], baseURL: String) -> [UInt8] {
        let feed: OrderedJSON = [
            "version": "https://jsonfeed.org/version/1.1", "title": .string(description.name),
            "home_page_url": .string(baseURL), "feed_url": .string(baseURL + OutboxFile.feed),
            "authors": description.publisher.isEmpty ? nil : [["name": .string(description.publisher)]],
            "items": .lines(stickers.suffix(maxStickers).reversed().map { item($0, baseURL) }),
        ]
        return feed.bytes() + [UInt8(ascii: "\n")]
    }

    /// Its address is that of the gallery at this sticker, as `memory.js` reads it.
    private static func item(_ sticker: PackEntry, _ baseURL: String) -> OrderedJSON {
        let file = baseURL + HTMLText.address(sticker.file)
        let image = """
            <img src="\(HTMLText.escape(file))" alt="\(HTMLText.escape(sticker.name))" \
            width="\(sticker.width)" height="\(sticker.height)">
            """
        return [
            "id": .string(sticker.id), "url": .string(baseURL + "#/carousel/" + HTMLText.address(sticker.id)),
            "title": .string(sticker.name), "content_html": .string(image), "image": .string(file),
            "date_published": .string(sticker.added.packText),
            "attachments": [
                [
                    "url": .string(file), "mime_type": sticker.file.hasSuffix(".webp") ? "image/webp" : "image/png",
                    "size_in_bytes": .number(sticker.bytes),
                ]
            ],
        ]
    }
}
