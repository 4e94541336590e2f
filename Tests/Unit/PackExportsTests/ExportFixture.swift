import StickerStudio

@testable import PackExports

extension ExportPack {
    /// A pack of `count` stickers with names, texts and emoji of their own.
    static func sample(
        _ count: Int, name: String = "Cats", publisher: String = "Ada", emoji: [String] = []
    ) -> ExportPack {
        ExportPack(
            name: name, identifier: "cats", publisher: publisher, emoji: emoji,
            stickers: (0..<count).map { ExportSticker.sample($0) })
    }
}

extension ExportSticker {
    static func sample(_ number: Int, text: String? = nil, emoji: [String] = []) -> ExportSticker {
        let digits = String(repeating: "0", count: 8 - String(number).count) + String(number)
        return ExportSticker(
            id: "sha256:" + digits + String(repeating: "a", count: 56), file: "Cat-\(digits).png",
            name: text ?? "Cat \(number)", text: text ?? "Cat \(number)", emoji: emoji)
    }
}

extension Shortcode {
    /// Those of a pack's stickers, in their order.
    static func listed(_ pack: ExportPack, _ book: inout NameBook) throws(ExportRefusal) -> [String] {
        let shortcodes = try assign(pack, &book)
        return pack.stickers.compactMap { shortcodes[$0.file] }
    }
}
