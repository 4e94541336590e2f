import PackFacts

/// A ZIP of pictures that are named by their shortcodes, as the upload pages and tools of Slack, Mattermost, Zulip and
/// Rocket.Chat expect them.
struct EmojiExport: PackExport {
    let name = "emoji"
    let title = "Slack, Mattermost, Zulip, Rocket.Chat"
    let purpose = "Unpack each ZIP and upload the pictures as custom emoji; a file's name is the shortcode."

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let archives = try EmojiArchive.all(of: pack, for: title, &book)
        return ExportPlan(files: archives.map { ExportFile($0.path("zip"), .zip($0.pictures), isDownload: true) })
    }
}
