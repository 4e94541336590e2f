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
        return ExportPlan(
            files: archives.map { archive in
                let list = ExportEntry("pack.json", .bytes(Self.list(archive, of: pack)))
                return ExportFile(archive.path("zip"), .zip(archive.pictures + [list]), isDownload: true)
            })
    }

    private static func list(_ archive: EmojiArchive, of pack: Pack) -> [UInt8] {
        let description = pack.publisher.isEmpty ? pack.name : "\(pack.name) (\(pack.publisher))"
        return OrderedJSON.object([
            ("files", .object(archive.emoji.map { ($0.shortcode, .string($0.file)) })),
            // Whether other servers may take the pack is the administrator's decision.
            ("pack", .object([("description", .string(description)), ("share-files", .bool(false))])),
            ("files_count", .number(archive.emoji.count)),
        ]).bytes(.readable(levels: 2))
    }
}
