import PackFacts
import StickerStudio

/// Stickers and emoji for a Discord server, with what its form asks for (Discord Developer Documentation, "Create Guild
/// Sticker" and "Create Guild Emoji").
struct DiscordExport: PackExport {
    let name = "discord"
    let title = "Discord"
    let purpose =
        "Unpack a ZIP, and upload its stickers, with the names in stickers.json, or its emoji in the server's settings."

    /// "320 x 320 pixels", "max 512 KiB". The emoji are those of `EmojiArchive`, below Discord's 128 by 128 pixels and
    /// 256 KiB.
    static let form = PictureForm(width: 320, height: 320, format: .png, maxBytes: 512_000)
    /// "2-30 characters".
    static let nameLength = 2...30
    /// "Empty or 2-100 characters".
    static let descriptionLength = 2...100
    /// "Max 200 characters".
    static let maxTags = 200
    /// "Every guilds has five free sticker slots by default."
    static let freeSlots = 5

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        try pack.require(1, for: title)
        let shortcodes = try Shortcode.assign(pack, &book)
        let named = pack.stickers.compactMap { sticker in shortcodes[sticker.file].map { (sticker, $0) } }
        // In the sets of the emoji, so that a new sticker rewrites one small ZIP.
        let sets = SetAssignment(export: EmojiArchive.key, maximum: EmojiArchive.limit).sets(of: pack.stickers, &book)
        let archives = sets.map { set in
            let named = set.stickers.compactMap { sticker in shortcodes[sticker.file].map { (sticker, $0) } }
            let stem = ExportFileName.set(set.number, of: ExportFileName.identifier(of: pack))
            return Self.files(of: named, in: pack).zipped(as: stem + ".zip")
        }
        return ExportPlan(
            files: Self.files(of: named, in: pack) + archives,
            notes: pack.stickers.count > Self.freeSlots ? [Self.note(pack.stickers.count)] : [])
    }

    private static func files(of stickers: [(sticker: PackEntry, shortcode: String)], in pack: Pack) -> [ExportFile] {
        let pictures = stickers.map { sticker, shortcode in
            ExportFile(path(shortcode), .picture(ExportPicture(of: sticker, form)))
        }
        let emoji = stickers.map { sticker, shortcode in
            ExportFile("emoji/\(shortcode).png", .picture(ExportPicture(of: sticker, EmojiArchive.form)))
        }
        let entries = stickers.map { entry($0, $1, in: pack) }
        let list = OrderedJSON.object([("stickers", .array(entries))]).bytes(.readable(levels: 2))
        return pictures + emoji + [ExportFile("stickers.json", .bytes(list))]
    }

    private static func note(_ count: Int) -> String {
        "A Discord server without boosts has room for \(freeSlots) of these \(count) stickers: upload the best ones."
    }

    private static func path(_ shortcode: String) -> String { "stickers/\(shortcode).png" }

    private static func entry(_ sticker: PackEntry, _ shortcode: String, in pack: Pack) -> OrderedJSON {
        // Discord does not say what a character is: no text is too short in whole ones or too long in UTF-16.
        let name = sticker.name.wholeCharacters(utf16: nameLength.upperBound)
        let isName = name.count >= nameLength.lowerBound
        let description = sticker.text.wholeCharacters(utf16: descriptionLength.upperBound)
        let isDescription = description.count >= descriptionLength.lowerBound
        let tags = (pack.emoji(of: sticker, upTo: 1).first ?? "").wholeCharacters(utf16: maxTags)
        return .object([
            ("file", .string(path(shortcode))),
            ("name", .string(isName ? name : String(shortcode.prefix(nameLength.upperBound)))),
            ("description", .string(isDescription ? description : "")),
            ("tags", .string(tags)),
        ])
    }
}
