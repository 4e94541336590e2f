import PackFacts
import StickerStudio

/// Sets with the manifest that signal-cli uploads, as a folder and as a ZIP.
///
/// Rules: Signal's help, "Stickers" (https://support.signal.org/hc/articles/360031836512), and Signal Desktop's sticker
/// creator, which recommends the margin; the manifest: signal-cli's manual, `uploadStickerPack`
/// (https://github.com/AsamK/signal-cli/blob/master/man/signal-cli.1.adoc).
struct SignalExport: PackExport {
    let name = "signal"
    let title = "Signal"
    let purpose = "Upload each ZIP with signal-cli, or drop the pictures into the sticker creator of Signal Desktop."

    static let maxSetSize = 200
    /// Of title and author, in UTF-16 code units. Signal documents none: this is WhatsApp's.
    static let maxText = 128
    static let picture = PictureForm(width: 512, height: 512, margin: 16, format: .webp, maxBytes: 300_000)

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let author = try pack.publisher(for: title, limit: Self.maxText)
        try pack.require(1, for: title)
        let assignment = SetAssignment(export: name, maximum: Self.maxSetSize)
        var files: [ExportFile] = []
        var archives: [ExportFile] = []
        for set in assignment.sets(of: pack.stickers, &book) {
            let folder = ExportFileName.set(set.number, of: ExportFileName.identifier(of: pack))
            let pictures = set.stickers.map { sticker in
                ExportFile(folder + "/" + Self.file(of: sticker), .picture(ExportPicture(of: sticker, Self.picture)))
            }
            let stickers = set.stickers.map { Self.entry($0, of: pack) }
            let manifest: OrderedJSON = [
                "title": .string(ExportText.title(of: pack, set: set.number, limit: Self.maxText)),
                "author": .string(author), "cover": stickers.first ?? [:], "stickers": .array(stickers),
            ]
            let list = ExportFile(folder + "/manifest.json", .bytes(manifest.bytes(.readable())))
            files += pictures + [list]
            archives.append(([list] + pictures).zipped(as: folder + ".zip", without: folder + "/"))
        }
        return ExportPlan(files: files + archives)
    }

    private static func file(of sticker: PackEntry) -> String { ExportFileName.stem(of: sticker) + ".webp" }

    private static func entry(_ sticker: PackEntry, of pack: Pack) -> OrderedJSON {
        [
            "file": .string(file(of: sticker)), "contentType": "image/webp",
            "emoji": .string(pack.emoji(of: sticker, upTo: 1).joined()),
        ]
    }
}
