import PackFacts

/// For `tootctl emoji import` (lib/mastodon/cli/emoji.rb): a gzipped tar, in which the name of each `.png` is its
/// shortcode. Shortcodes are `[a-zA-Z0-9_]{2,}`, unique without regard to case (app/models/custom_emoji.rb).
struct MastodonExport: PackExport {
    let name = "mastodon"
    let title = "Mastodon"
    let purpose = "Import each .tar.gz on the server with “tootctl emoji import”."

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let archives = try EmojiArchive.all(of: pack, for: title, &book)
        return ExportPlan(files: archives.map { ExportFile($0.path("tar.gz"), .tarGz($0.pictures), isDownload: true) })
    }
}
