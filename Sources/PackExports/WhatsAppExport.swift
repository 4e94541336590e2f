import PackFacts
import StickerStudio

/// Sets as in WhatsApp's sample app, and the `.wastickers` files of sticker maker apps.
///
/// Rules: https://github.com/WhatsApp/stickers/blob/main/Android/README.md and, for texts and identifiers, the sample's
/// `StickerPackValidator.java` and `ContentFileParser.java`; the margin: WhatsApp's help, "How to create stickers".
/// The sample's assets folder has `contents.json`, and a folder for each pack, named by its identifier.
struct WhatsAppExport: PackExport {
    let name = "whatsapp"
    let title = "WhatsApp"
    let purpose = "Open each .wastickers file on the phone with a sticker maker app, which adds it to WhatsApp."

    static let setSizes = 3...30
    static let maxEmoji = 3
    /// In UTF-16 code units: name, publisher, identifier.
    static let maxText = 128
    /// In UTF-16 code units, for static stickers.
    static let maxLabel = 125
    /// The sample counts 100 KB in units of 1,024 bytes; the README says less than 100 KB.
    static let picture = PictureForm(width: 512, height: 512, margin: 16, format: .webp, maxBytes: 100_000)
    static let tray = PictureForm(width: 96, height: 96, format: .png, maxBytes: 50_000)

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let publisher = try pack.publisher(for: title, limit: Self.maxText)
        try pack.require(Self.setSizes.lowerBound, for: title)
        let assignment = SetAssignment(
            export: name, maximum: Self.setSizes.upperBound, minimum: Self.setSizes.lowerBound)
        var files: [ExportFile] = []
        var archives: [ExportFile] = []
        var entries: [OrderedJSON] = []
        let sets = assignment.sets(of: pack.stickers, &book)
        for set in sets {
            let identifier = ExportFileName.set(set.number, of: Self.identifier(of: pack))
            let title = ExportText.title(of: pack, set: set.number, limit: Self.maxText)
            let pictures = set.stickers.map { sticker in
                (name: Self.file(of: sticker), picture: ExportPicture(of: sticker, Self.picture))
            }
            files += pictures.map { ExportFile(identifier + "/" + $0.name, .picture($0.picture)) }
            let tray = set.stickers.prefix(1).map { ExportPicture(of: $0, Self.tray) }
            files += tray.map { ExportFile(identifier + "/" + Self.trayFile, .picture($0)) }
            let entry = Self.entry(identifier, title, publisher, set, of: pack)
            entries.append(entry)
            files.append(ExportFile(identifier + "/contents.json", .bytes(Self.contents([entry]))))
            archives.append(
                ExportFile(
                    identifier + ".wastickers",
                    .zip(
                        [
                            ExportEntry("title.txt", .bytes(Array(title.utf8))),
                            ExportEntry("author.txt", .bytes(Array(publisher.utf8))),
                        ] + pictures.map { ExportEntry($0.name, .picture($0.picture)) }
                            + tray.map { ExportEntry(Self.trayFile, .picture($0)) }), isDownload: true))
        }
        files.append(ExportFile("contents.json", .bytes(Self.contents(entries))))
        return ExportPlan(files: files + archives)
    }

    private static let trayFile = "tray.png"

    private static func file(of sticker: PackEntry) -> String { ExportFileName.stem(of: sticker) + ".webp" }

    /// Leaves room for the number of a set.
    private static func identifier(of pack: Pack) -> String {
        let identifier = ExportFileName.identifier(of: pack)
        return identifier.utf8.count <= 64
            ? identifier : ExportFileName.unique(String(identifier.prefix(40)), pack.identifier)
    }

    private static func contents(_ packs: [OrderedJSON]) -> [UInt8] {
        let contents: OrderedJSON = [
            "android_play_store_link": "", "ios_app_store_link": "", "sticker_packs": .array(packs),
        ]
        return contents.bytes(.readable())
    }

    private static func entry(
        _ identifier: String, _ title: String, _ publisher: String, _ set: StickerSet, of pack: Pack
    ) -> OrderedJSON {
        [
            "identifier": .string(identifier), "name": .string(title), "publisher": .string(publisher),
            "tray_image_file": .string(trayFile), "image_data_version": .string(version(of: set)),
            "avoid_cache": false, "publisher_email": "", "publisher_website": "", "privacy_policy_website": "",
            "license_agreement_website": "", "stickers": .array(set.stickers.map { sticker($0, of: pack) }),
        ]
    }

    private static func sticker(_ sticker: PackEntry, of pack: Pack) -> OrderedJSON {
        [
            "image_file": .string(file(of: sticker)), "emojis": .strings(pack.emoji(of: sticker, upTo: maxEmoji)),
            "accessibility_text": .string(ExportText.label(of: sticker, limit: maxLabel)),
        ]
    }

    /// Changes when and only when the pictures do, whatever their order: WhatsApp then loads them again.
    private static func version(of set: StickerSet) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(set.stickers.first?.id ?? "")
        for sticker in set.stickers.sorted(by: { $0.file < $1.file }) {
            fingerprint.add(sticker.id)
            fingerprint.add(sticker.digest)
        }
        fingerprint.add(picture.identifier)
        fingerprint.add(tray.identifier)
        return fingerprint.text
    }
}
