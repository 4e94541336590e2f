import Testing

@testable import PackExports

@Suite("Downloads of exports")
struct DownloadTests {
    @Test("The page offers every picture that an export's folder has", arguments: Exports.all.map(\.name))
    func complete(name: String) throws {
        let plan = try #require(Exports.named(name)).plan(.sample(130))
        let archived = plan.files.filter(\.isDownload).flatMap { file -> [ExportPicture] in
            guard case .zip(let entries) = file.contents else { return [] }
            return entries.compactMap { if case .picture(let picture) = $0.contents { picture } else { nil } }
        }
        let pictures = plan.files.compactMap { if case .picture(let picture) = $0.contents { picture } else { nil } }
        #expect(Set(pictures).isSubset(of: archived))
    }

    @Test(
        "A new sticker rewrites one set's archive",
        arguments: ["telegram", "discord", "matrix", "mastodon", "misskey", "akkoma", "emoji"])
    func sets(name: String) throws {
        let export = try #require(Exports.named(name))
        var book = NameBook()
        let before = try export.plan(.sample(250), &book).files.filter(\.isDownload)
        let after = try export.plan(.sample(251), &book).files.filter(\.isDownload)
        #expect(before.count == 3 && after.map(\.path) == before.map(\.path))
        #expect(zip(before, after).count { $0 != $1 } == 1)
    }

    @Test("The names in the ZIPs are those of the folders")
    func names() throws {
        #expect(
            try TelegramExport().plan(.sample(1)).entries("cats.zip") == [
                "Cat-00000000.png", "thumbnail.png", "create.json",
            ])
        #expect(
            try DiscordExport().plan(.sample(1)).entries("cats.zip") == [
                "stickers/cat_0.png", "emoji/cat_0.png", "stickers.json",
            ])
        #expect(
            try MatrixExport().plan(.sample(1)).entries("image-pack.zip") == [
                "stickers/cat_0.webp", "image-pack.json",
            ])
        #expect(
            try IMessageExport().plan(.sample(1)).entries("cats.stickerpack.zip") == [
                "cats.stickerpack/Cat-00000000.sticker/Cat-00000000.png",
                "cats.stickerpack/Cat-00000000.sticker/Contents.json", "cats.stickerpack/Contents.json",
            ])
    }

    @Test("A name in a ZIP keeps its first character if that is a combining mark")
    func combining() {
        let file = ExportFile("cats/\u{301}a.json", .bytes([1]))
        #expect([file].zipped(as: "cats.zip", without: "cats/").contents == .zip([.init("\u{301}a.json", .bytes([1]))]))
    }

    @Test("A large iMessage pack has no ZIP, and says where its folder is")
    func large() throws {
        let plan = try IMessageExport().plan(.sample(IMessageExport.maxArchived + 1))
        #expect(!plan.files.contains(where: \.isDownload) && plan.notes.count == 1)
    }
}
