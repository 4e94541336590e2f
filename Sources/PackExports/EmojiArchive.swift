import PackFacts
import StickerStudio

/// Up to `limit` emoji of a pack. The exports for `mastodon`, `misskey`, `akkoma` and `emoji` put the same pictures
/// into the same sets, so that each picture is made once.
struct EmojiArchive {
    /// The most emoji of an archive. Servers have no such limit: it bounds what a new sticker rewrites.
    static let limit = 100
    /// Of the sets in the book.
    static let key = "emoji"
    /// 50,000 bytes are below the lowest limit in use: Mastodon's `LIMIT = 50.kilobytes` (app/models/custom_emoji.rb;
    /// 256 kilobytes in newer releases).
    static let form = PictureForm(width: 128, height: 128, format: .png, maxBytes: 50_000)
    /// The stem of archives of packs whose identifiers have no letter.
    private static let fallback = "emoji"

    let emoji: [Emoji]
    /// Its file's name without the extension.
    private let stem: String

    struct Emoji {
        let shortcode: String
        let sticker: PackEntry

        /// Without folder. Shortcodes are safe as names of files, also for Misskey, whose importer wants
        /// `[a-zA-Z0-9_]+?([a-zA-Z0-9\.]+)?` (ImportCustomEmojisProcessorService.ts).
        var file: String { shortcode + ".png" }
        var entry: ExportEntry { ExportEntry(file, .picture(ExportPicture(of: sticker, EmojiArchive.form))) }
    }

    /// The archives of a pack; none without stickers.
    static func all(of pack: Pack, for title: String, _ book: inout NameBook) throws(ExportRefusal) -> [EmojiArchive] {
        try pack.require(1, for: title)
        let shortcodes = try Shortcode.assign(pack, &book)
        let words = Shortcode.cut(Shortcode.words(of: pack.identifier), to: Shortcode.maxLength)
        let stem = words.isEmpty ? fallback : words
        return SetAssignment(export: key, maximum: limit).sets(of: pack.stickers, &book).map { set in
            let emoji = set.stickers.map { Emoji(shortcode: shortcodes[$0.file] ?? fallback, sticker: $0) }
            return EmojiArchive(emoji: emoji, stem: ExportFileName.set(set.number, of: stem))
        }
    }

    var pictures: [ExportEntry] { emoji.map(\.entry) }

    /// - Parameter ending: the extension, without the dot.
    func path(_ ending: String) -> String { stem + "." + ending }

    /// The pictures and, if given, a list of them.
    func zip(_ list: ExportEntry? = nil) -> ExportFile {
        ExportFile(path("zip"), .zip(pictures + (list.map { [$0] } ?? [])), isDownload: true)
    }
}
