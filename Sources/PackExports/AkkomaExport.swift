import PackFacts

/// An emoji pack of Akkoma and Pleroma: a folder with `pack.json`, whose keys are those that the server writes
/// (lib/pleroma/emoji/pack.ex, `@derive {Jason.Encoder, only: [:files, :pack, :files_count]}`).
struct AkkomaExport: PackExport {
    let name = "akkoma"
    let title = "Akkoma, Pleroma"
    let purpose = """
        On the server, unpack each ZIP into a new folder in instance/static/emoji, and reload the emoji.
        """

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let archives = try EmojiArchive.all(of: pack, for: title, &book)
        return ExportPlan(files: archives.map { $0.zip(ExportEntry("pack.json", .bytes(Self.list($0, of: pack)))) })
    }

    private static func list(_ archive: EmojiArchive, of pack: Pack) -> [UInt8] {
        let description = pack.publisher.isEmpty ? pack.name : "\(pack.name) (\(pack.publisher))"
        let list: OrderedJSON = [
            "files": .object(archive.emoji.map { ($0.shortcode, .string($0.file)) }),
            // Whether other servers may take the pack is the administrator's decision.
            "pack": ["description": .string(description), "share-files": false],
            "files_count": .number(archive.emoji.count),
        ]
        return list.bytes(.readable(levels: 2))
    }
}
