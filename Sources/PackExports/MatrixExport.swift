import PackFacts
import StickerStudio

/// Image packs of the Matrix specification (Client-Server API 1.19, "Image packs", from MSC2545): pictures, and the
/// content of an `m.room.image_pack` event without what only an uploader knows, the pictures' `url`s.
struct MatrixExport: PackExport {
    let name = "matrix"
    let title = "Matrix"
    let purpose = "Upload the pictures, add their addresses to each list, and send the lists to a room."

    /// "Stickers SHOULD be at least 512×512 pixels" ("Image properties").
    static let form = PictureForm(width: 512, height: 512, format: .webp, maxBytes: 300_000)
    /// An event is at most 65,536 bytes ("Size limits"), so 100 images have 655 each: 255 for the `url`, `maxBody`, and
    /// the rest for shortcode and `info`.
    static let maxImages = 100
    /// The most bytes of a `body`. Escaping doubles some characters.
    static let maxBody = 120
    /// The most bytes of the pack's texts.
    static let maxText = 255

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        try pack.require(1, for: title)
        let shortcodes = try Shortcode.assign(pack, &book)
        var pictures: [ExportFile] = []
        var lists: [ExportFile] = []
        var archives: [ExportFile] = []
        for set in SetAssignment(export: name, maximum: Self.maxImages).sets(of: pack.stickers, &book) {
            let images = set.stickers.compactMap { sticker in shortcodes[sticker.file].map { (sticker, $0) } }
            let files = images.map { sticker, shortcode in
                ExportFile(Self.path(shortcode), .picture(ExportPicture(of: sticker, Self.form)))
            }
            let stem = ExportFileName.set(set.number, of: "image-pack")
            let list = ExportFile(stem + ".json", .bytes(Self.list(images, of: pack)))
            pictures += files
            lists.append(list)
            archives.append((files + [list]).zipped(as: stem + ".zip"))
        }
        return ExportPlan(files: pictures + lists + archives, notes: [Self.note])
    }

    private static let note = """
        The lists lack the pictures' addresses, because a homeserver assigns them at upload: upload the pictures in \
        “stickers”, add each one's mxc:// address to its list as “url”, and send each list as the content of an \
        m.room.image_pack event.
        """

    private static func path(_ shortcode: String) -> String { "stickers/\(shortcode).\(form.format.fileExtension)" }

    private static func list(_ images: [(sticker: PackEntry, shortcode: String)], of pack: Pack) -> [UInt8] {
        let info: OrderedJSON = ["w": .number(form.width), "h": .number(form.height), "mimetype": "image/webp"]
        let entries = images.map { sticker, shortcode in
            let text = (sticker.text.isEmpty ? sticker.name : sticker.text).wholeCharacters(utf8: maxBody)
            let body = text.isEmpty ? shortcode : text
            return (key: shortcode, value: ["body": .string(body), "info": info] as OrderedJSON)
        }
        let attribution = pack.publisher.wholeCharacters(utf8: maxText)
        let list: OrderedJSON = [
            "images": .object(entries),
            "pack": [
                "display_name": .string(pack.name.wholeCharacters(utf8: maxText)),
                "attribution": attribution.isEmpty ? nil : .string(attribution), "usage": ["sticker"],
            ],
        ]
        return list.bytes(.readable(levels: 2))
    }
}
