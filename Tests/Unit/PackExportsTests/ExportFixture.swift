import PackFacts

@testable import PackExports

extension Pack {
    init(name: String, identifier: String, publisher: String, emoji: [String], stickers: [PackEntry]) {
        self.init(.init(name: name, identifier: identifier, publisher: publisher, emoji: emoji), stickers: stickers)
    }

    /// A pack of `count` stickers with names, texts and emoji of their own.
    static func sample(
        _ count: Int, name: String = "Cats", publisher: String = "Ada", emoji: [String] = []
    ) -> Pack {
        Pack(
            name: name, identifier: "cats", publisher: publisher, emoji: emoji,
            stickers: (0..<count).map { PackEntry.sample($0) })
    }
}

extension PackEntry {
    init(id: String, file: String, name: String, text: String, emoji: [String]) {
        self.init(id: id, name: name, text: text, emoji: emoji, file: file, width: 512, height: 512, bytes: 1)
    }

    static func sample(_ number: Int, text: String? = nil, emoji: [String] = []) -> PackEntry {
        let digits = String(repeating: "0", count: 8 - String(number).count) + String(number)
        return PackEntry(
            id: "sha256:" + digits + String(repeating: "a", count: 56), file: "Cat-\(digits).png",
            name: text ?? "Cat \(number)", text: text ?? "Cat \(number)", emoji: emoji)
    }
}

extension Shortcode {
    /// Those of a pack's stickers, in their order.
    static func listed(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> [String] {
        let shortcodes = try assign(pack, &book)
        return pack.stickers.compactMap { shortcodes[$0.file] }
    }
}
