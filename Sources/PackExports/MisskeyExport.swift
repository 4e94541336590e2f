import PackFacts

/// A ZIP for Misskey's import of custom emoji, with the `meta.json` that its own export writes
/// (packages/backend/src/queue/processors/ExportCustomEmojisProcessorService.ts and Import….ts).
struct MisskeyExport: PackExport {
    let name = "misskey"
    let title = "Misskey"
    let purpose = "Import each ZIP in the control panel, under Custom emoji."

    /// Misskey's own export has the server and the current time here, and its import reads neither. The same stickers
    /// have to give the same bytes.
    private static let host = "localhost"
    private static let exportedAt = "1970-01-01T00:00:00.000Z"
    /// Of category and alias: columns of 128 characters (packages/backend/src/models/Emoji.ts).
    static let maxText = 128
    /// The most aliases; Misskey has no limit.
    static let maxAliases = 16

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let archives = try EmojiArchive.all(of: pack, for: title, &book)
        return ExportPlan(files: archives.map { $0.zip(ExportEntry("meta.json", .bytes(Self.list($0, of: pack)))) })
    }

    private static func list(_ archive: EmojiArchive, of pack: Pack) -> [UInt8] {
        let category = pack.name.wholeCharacters(utf16: maxText)
        let emoji = archive.emoji.map { emoji in
            [
                "downloaded": true, "fileName": .string(emoji.file),
                "emoji": [
                    "name": .string(emoji.shortcode), "category": category.isEmpty ? .null : .string(category),
                    "aliases": .strings(aliases(of: emoji, in: pack)), "license": .null,
                ],
            ] as OrderedJSON
        }
        let list: OrderedJSON = [
            "metaVersion": 2, "host": .string(host), "exportedAt": .string(exportedAt), "emojis": .array(emoji),
        ]
        return list.bytes(.readable(levels: 2))
    }

    /// What people also search for: the sticker's emoji and the words of its text. Misskey's page separates aliases by
    /// spaces.
    private static func aliases(of emoji: EmojiArchive.Emoji, in pack: Pack) -> [String] {
        let words = emoji.sticker.text.split { $0.isWhitespace }.map { String($0).wholeCharacters(utf16: maxText) }
        var known: Set<String> = ["", emoji.shortcode]
        return Array(
            (pack.emoji(of: emoji.sticker, upTo: maxAliases) + words).filter { known.insert($0).inserted }
                .prefix(maxAliases))
    }
}
