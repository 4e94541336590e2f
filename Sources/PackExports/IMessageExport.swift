import PackFacts
import StickerStudio

/// A sticker pack in Xcode's asset catalogs.
///
/// Rules: Apple, Asset Catalog Format Reference, "Sticker Pack Type" and "Sticker Type"
/// (https://developer.apple.com/library/archive/documentation/Xcode/Reference/xcode_ref-Asset_Catalog_Format/);
/// sizes: Apple, `MSSticker` (https://developer.apple.com/documentation/messages/mssticker).
struct IMessageExport: PackExport {
    let name = "imessage"
    let title = "iMessage"
    let purpose =
        "Unpack the ZIP, and drag the .stickerpack folder into the Stickers catalog of a Sticker Pack project in Xcode."

    /// In UTF-16 code units; Apple documents no limit.
    static let maxLabel = 125
    /// Larger packs get no ZIP, because each new sticker would rewrite it.
    static let maxArchived = 200
    var size = IMessageSize.regular

    var picture: PictureForm {
        PictureForm(width: size.side, height: size.side, format: .png, maxBytes: 500_000)
    }

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        try pack.require(1, for: title)
        let folder = ExportFileName.identifier(of: pack) + ".stickerpack/"
        let names = pack.stickers.map { ExportFileName.stem(of: $0) }
        var files: [ExportFile] = []
        for (sticker, name) in zip(pack.stickers, names) {
            let file = name + ".png"
            let contents: OrderedJSON = [
                "info": Self.info,
                "properties": [
                    "accessibility-label": .string(ExportText.label(of: sticker, limit: Self.maxLabel)),
                    "filename": .string(file),
                ],
            ]
            files.append(ExportFile(folder + name + ".sticker/" + file, .picture(ExportPicture(of: sticker, picture))))
            files.append(ExportFile(folder + name + ".sticker/Contents.json", .bytes(contents.bytes(.readable()))))
        }
        let contents: OrderedJSON = [
            "info": Self.info, "properties": ["grid-size": .string(size.rawValue)],
            "stickers": .array(names.map { ["filename": .string($0 + ".sticker")] }),
        ]
        files.append(ExportFile(folder + "Contents.json", .bytes(contents.bytes(.readable()))))
        guard pack.stickers.count <= Self.maxArchived else { return ExportPlan(files: files, notes: [Self.note]) }
        let archive = files.zipped(as: ExportFileName.identifier(of: pack) + ".stickerpack.zip")
        return ExportPlan(files: files + [archive])
    }

    private static let note = """
        A pack of more than \(maxArchived) stickers has no ZIP: copy the .stickerpack folder from exports/imessage.
        """

    private static let info: OrderedJSON = ["author": "xcode", "version": 1]
}

/// The sizes of iMessage's stickers, which set the number of stickers per row.
package enum IMessageSize: String, CaseIterable, Sendable {
    case small, regular, large

    /// In pixels: 100, 136 and 206 points, with 3 pixels each.
    var side: Int {
        switch self {
        case .small: 300
        case .regular: 408
        case .large: 618
        }
    }
}
