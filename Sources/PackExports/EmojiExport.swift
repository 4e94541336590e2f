import PackFacts

/// A ZIP of pictures that are named by their shortcodes, as the upload pages and tools of Slack, Mattermost, Zulip and
/// Rocket.Chat expect them.
struct EmojiExport: PackExport {
    let name = "emoji"
    let title = "Slack, Mattermost, Zulip, Rocket.Chat"
    let purpose = "Unpack each ZIP and upload the pictures as custom emoji; a file's name is the shortcode."

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        ExportPlan(files: try EmojiArchive.all(of: pack, for: title, &book).map { $0.zip() })
    }
}
