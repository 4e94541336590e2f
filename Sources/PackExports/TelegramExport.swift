import PackFacts
import StickerStudio

/// Sets as request bodies for Telegram's Bot API, beside the pictures that they attach.
///
/// Rules: https://core.telegram.org/bots/api#createnewstickerset, #addstickertoset, #inputsticker and
/// #setstickersetthumbnail; bots' names: https://core.telegram.org/bots/features#creating-a-new-bot.
struct TelegramExport: PackExport {
    let name = "telegram"
    let title = "Telegram"
    let purpose =
        "Send @Stickers the command /newpack, then the pictures as files; or send the requests to the Bot API."

    static let maxSetSize = 120
    /// The most stickers that a set is created with.
    static let maxCreated = 50
    static let maxEmoji = 20
    static let maxKeywords = 20
    /// All keywords of a sticker together, in UTF-16 code units.
    static let maxKeywordLength = 64
    /// In UTF-16 code units.
    static let maxTitle = 64
    static let maxName = 64
    static let maxBotName = 32
    /// The uploader replaces it with the name of the bot.
    static let bot = "<bot>"
    static let picture = PictureForm(width: 512, height: 512, format: .png, maxBytes: 512_000)
    static let thumbnail = PictureForm(width: 100, height: 100, format: .png, maxBytes: 128_000)

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        try pack.require(1, for: title)
        let assignment = SetAssignment(export: name, maximum: Self.maxSetSize)
        var all: [ExportFile] = []
        var archives: [ExportFile] = []
        for set in assignment.sets(of: pack.stickers, &book) {
            let folder = ExportFileName.set(set.number, of: Self.name(of: pack))
            let name = folder + "_by_" + Self.bot
            var files = set.stickers.map { sticker in
                ExportFile(folder + "/" + Self.file(of: sticker), .picture(ExportPicture(of: sticker, Self.picture)))
            }
            files += set.stickers.prefix(1).map { sticker in
                ExportFile(folder + "/thumbnail.png", .picture(ExportPicture(of: sticker, Self.thumbnail)))
            }
            let creation: OrderedJSON = [
                "name": .string(name),
                "title": .string(ExportText.title(of: pack, set: set.number, limit: Self.maxTitle)),
                "stickers": .array(set.stickers.prefix(Self.maxCreated).map { Self.inputSticker($0, of: pack) }),
            ]
            files.append(ExportFile(folder + "/create.json", .bytes(creation.bytes(.readable()))))
            files += set.stickers.dropFirst(Self.maxCreated).map { sticker in
                let addition: OrderedJSON = ["name": .string(name), "sticker": Self.inputSticker(sticker, of: pack)]
                return ExportFile(
                    folder + "/" + ExportFileName.stem(of: sticker) + ".json", .bytes(addition.bytes(.readable())))
            }
            archives.append(files.zipped(as: folder + ".zip", without: folder + "/"))
            all += files
        }
        return ExportPlan(files: all + archives, notes: [Self.note])
    }

    private static let note = """
        The pictures are in the same folder as create.json. For the Bot API, replace \(bot) in each request with the \
        name of your bot, without @, add your Telegram user ID as user_id, and attach each picture under the name \
        after attach://. create.json is for createNewStickerSet, the others are for addStickerToSet, and \
        thumbnail.png is for setStickerSetThumbnail.
        """

    private static func file(of sticker: PackEntry) -> String { ExportFileName.stem(of: sticker) + ".png" }

    private static func inputSticker(_ sticker: PackEntry, of pack: Pack) -> OrderedJSON {
        [
            "sticker": .string("attach://" + file(of: sticker)), "format": "static",
            "emoji_list": .strings(pack.emoji(of: sticker, upTo: maxEmoji)),
            "keywords": .strings(keywords(of: sticker)),
        ]
    }

    /// The words of the text that fit, each once.
    private static func keywords(of sticker: PackEntry) -> [String] {
        var keywords: [String] = []
        var length = 0
        for part in ExportText.cleaned(sticker.text).split(separator: " ") {
            let word = String(part)
            guard keywords.count < maxKeywords, length + word.utf16.count <= maxKeywordLength else { break }
            guard word.contains(where: { $0.isLetter || $0.isNumber }), !keywords.contains(word) else { continue }
            keywords.append(word)
            length += word.utf16.count
        }
        return keywords
    }

    /// `[A-Za-z][A-Za-z0-9_]*` without `__`, short enough for the number of a set and any bot's name. It has a digest
    /// unless it is the identifier with one dot replaced, which is before the folder of a pack: no two packs have one
    /// name.
    private static func name(of pack: Pack) -> String {
        let safe = ExportFileName.replacing(pack.identifier, by: "_") {
            $0.isASCII && $0.properties.isAlphabetic || isDigit($0)
        }
        let name = String(safe.drop { !$0.isLetter })
        let room = maxName - "_by_".utf8.count - maxBotName - "_set9999".utf8.count
        let isWhole = name.utf8.count <= room && name == pack.identifier.replacing(".", with: "_", maxReplacements: 1)
        guard !isWhole || name.isEmpty else { return name }
        let digest = String(Fingerprint(of: pack.identifier).text.prefix(8))
        let start = String(name.prefix(room - digest.utf8.count - 1))
        return start.isEmpty ? "set_" + digest : start + (start.last == "_" ? "" : "_") + digest
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
