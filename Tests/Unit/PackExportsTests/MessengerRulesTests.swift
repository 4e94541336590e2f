import PackFacts
import StickerStudio
import Testing

@testable import PackExports

/// What messengers ask for, as literals: each rule with its source.
@Suite struct MessengerRulesTests {
    @Test("WhatsApp's contents have exactly the keys of its sample app")
    func whatsAppKeys() throws {
        // WhatsApp/stickers, Android/app/src/main/assets/contents.json and ContentFileParser.java.
        let plan = try WhatsAppExport().plan(.sample(3))
        for path in ["contents.json", "cats/contents.json"] {
            let contents = try plan.object(path)
            #expect(Set(contents.keys) == ["android_play_store_link", "ios_app_store_link", "sticker_packs"])
            let pack = try #require(try contents.objects("sticker_packs").first)
            #expect(
                Set(pack.keys) == [
                    "identifier", "name", "publisher", "tray_image_file", "image_data_version", "avoid_cache",
                    "publisher_email", "publisher_website", "privacy_policy_website", "license_agreement_website",
                    "stickers",
                ])
            for sticker in try pack.objects("stickers") {
                #expect(Set(sticker.keys) == ["image_file", "emojis", "accessibility_text"])
                #expect(sticker["emojis"] as? [String] == ["❤️"])
            }
        }
        #expect(
            try plan.entries("cats.wastickers") == [
                "title.txt", "author.txt", "Cat-00000000.webp", "Cat-00000001.webp", "Cat-00000002.webp", "tray.png",
            ])
    }

    @Test("WhatsApp lists all sets in one file, as its sample app reads them")
    func whatsAppSets() throws {
        let plan = try WhatsAppExport().plan(.sample(61))
        let packs = try plan.object("contents.json").objects("sticker_packs")
        #expect(try packs.map { try $0.text("name") } == ["Cats", "Cats 2", "Cats 3"])
        #expect(try packs.map { try $0.text("identifier") } == ["cats", "cats_set2", "cats_set3"])
        #expect(try packs.map { try $0.objects("stickers").count } == [30, 28, 3])
        for pack in packs {
            for sticker in try pack.objects("stickers") {
                #expect(plan.picture(try pack.text("identifier") + "/" + sticker.text("image_file")) != nil)
            }
        }
    }

    @Test("WhatsApp's version changes when and only when the set's pictures do")
    func whatsAppVersion() throws {
        func version(_ stickers: [PackEntry], name: String = "Cats") throws -> String {
            let pack = Pack(name: name, identifier: "cats", publisher: "Ada", emoji: [], stickers: stickers)
            let packs = try WhatsAppExport().plan(pack).object("contents.json").objects("sticker_packs")
            return try #require(packs.first).text("image_data_version")
        }
        let stickers = Pack.sample(4).stickers
        let first = try version(stickers)
        #expect(try version(stickers, name: "Dogs") == first)
        #expect(try version(stickers.map { $0.with(text: "Other") }) == first)
        #expect(try version([stickers[0], stickers[2], stickers[1], stickers[3]]) == first)
        #expect(try version(Array(stickers.dropLast())) != first)
        #expect(try version([stickers[1], stickers[0], stickers[2], stickers[3]]) != first, "another tray")
        #expect(try version(stickers.dropLast() + [stickers[3].with(text: "Cat 3", bytes: 2)]) != first)
    }

    @Test("Telegram's requests have the Bot API's keys, and the set's name leaves room for the bot's")
    func telegramKeys() throws {
        let plan = try TelegramExport().plan(.sample(51))
        let creation = try plan.object("cats/create.json")
        #expect(Set(creation.keys) == ["name", "title", "stickers"])
        #expect(try creation.text("name") == "cats_by_<bot>")
        let stickers = try creation.objects("stickers")
        #expect(stickers.count == 50)
        for sticker in stickers { #expect(Set(sticker.keys) == ["sticker", "format", "emoji_list", "keywords"]) }
        #expect(try stickers[1].text("sticker") == "attach://Cat-00000001.png")
        #expect(try stickers[1].text("format") == "static")
        #expect(stickers[1]["keywords"] as? [String] == ["Cat", "1"])
        let addition = try plan.object("cats/Cat-00000050.json")
        #expect(Set(addition.keys) == ["name", "sticker"])
        #expect(plan.picture("cats/Cat-00000050.png")?.form == TelegramExport.picture)
        #expect(plan.picture("cats/thumbnail.png")?.form == TelegramExport.thumbnail)
        #expect(plan.paths.filter { $0.hasSuffix(".json") }.count == 2)
        #expect(plan.notes.count == 1)
    }

    @Test("No two packs have one set at Telegram; names that say all stay as they are")
    func telegramNames() throws {
        let identifiers = ["cats", "cats.Trip_1", "cats.Trip-1", "cats.Trip.1", "cats.Trip 1", "cats.Trip__1"]
        let names = try identifiers.map { identifier in
            let pack = Pack(
                name: "Cats", identifier: identifier, publisher: "", emoji: [], stickers: [.sample(1)])
            let path = try #require(try TelegramExport().plan(pack).paths.first { $0.hasSuffix("/create.json") })
            return String(path.prefix { $0 != "/" })
        }
        #expect(names.prefix(2) == ["cats", "cats_Trip_1"])
        #expect(Set(names).count == names.count)
    }

    @Test("Signal's manifest has exactly the keys of signal-cli's, in the folder and in the ZIP")
    func signalKeys() throws {
        // https://github.com/AsamK/signal-cli/blob/master/man/signal-cli.1.adoc, uploadStickerPack.
        let plan = try SignalExport().plan(.sample(2))
        let manifest = try plan.object("cats/manifest.json")
        #expect(Set(manifest.keys) == ["title", "author", "cover", "stickers"])
        let cover = try #require(manifest["cover"] as? [String: Any])
        for sticker in try manifest.objects("stickers") + [cover] {
            #expect(Set(sticker.keys) == ["file", "contentType", "emoji"])
            #expect(try sticker.text("contentType") == "image/webp")
        }
        #expect(try plan.entries("cats.zip") == ["manifest.json", "Cat-00000000.webp", "Cat-00000001.webp"])
    }

    @Test("LINE's ZIP has numbered pictures and two icons of the first")
    func lineFiles() throws {
        let plan = try LINEExport().plan(.sample(9))
        let numbers = (1...8).map { "0\($0).png" }
        #expect(try plan.entries("cats.zip") == numbers + ["main.png", "tab.png"])
        #expect(plan.picture("cats/01.png")?.sticker.file == "Cat-00000000.png")
        #expect(plan.picture("cats/main.png") == ExportPicture(of: .sample(0), LINEExport.main))
        #expect(plan.notes == ["1 sticker is left out, because LINE takes sets of 8, 16, 24, 32 or 40 stickers."])
    }

    @Test("LINE's largest ZIP is below its limit even with uncompressed pictures")
    func lineArchive() throws {
        let plan = try LINEExport().plan(.sample(40))
        let size = plan.files.reduce(0) { size, file in
            guard case .picture(let picture) = file.contents else { return size }
            // 4 bytes a pixel, and room for the headers of PNG and ZIP.
            return size + picture.form.width * picture.form.height * 4 + 1000
        }
        #expect(size > 18_000_000)
        // https://creator.line.me/en/guideline/sticker/: 20 MB or less.
        #expect(size < 20_000_000)
    }

    @Test("An iMessage catalog has Contents.json at each level, as Xcode writes it")
    func iMessageKeys() throws {
        // Asset Catalog Format Reference, tables 26-1 and 27-1.
        let plan = try IMessageExport().plan(.sample(2))
        let pack = try plan.object("cats.stickerpack/Contents.json")
        #expect(Set(pack.keys) == ["info", "properties", "stickers"])
        #expect(pack["properties"] as? [String: String] == ["grid-size": "regular"])
        let large = try #require(Exports.named("imessage", imessage: .large)).plan(.sample(2))
        #expect(
            try large.object("cats.stickerpack/Contents.json")["properties"] as? [String: String] == [
                "grid-size": "large"
            ])
        #expect(
            try pack.objects("stickers") as? [[String: String]] == [
                ["filename": "Cat-00000000.sticker"], ["filename": "Cat-00000001.sticker"],
            ])
        let sticker = try plan.object("cats.stickerpack/Cat-00000001.sticker/Contents.json")
        #expect(Set(sticker.keys) == ["info", "properties"])
        #expect(
            sticker["properties"] as? [String: String] == [
                "accessibility-label": "Cat 1", "filename": "Cat-00000001.png",
            ])
        #expect(plan.picture("cats.stickerpack/Cat-00000001.sticker/Cat-00000001.png") != nil)
    }

    @Test("Refusals say what is missing")
    func refusals() {
        #expect(
            throws: ExportRefusal("WhatsApp requires at least 3 stickers, and this pack has 2; add photos for 1 more.")
        ) { try WhatsAppExport().plan(.sample(2)) }
        #expect(
            throws: ExportRefusal("LINE requires at least 8 stickers, and this pack has 7; add photos for 1 more.")
        ) { try LINEExport().plan(.sample(7)) }
        for export in [WhatsAppExport(), SignalExport()] as [any PackExport] {
            let refusal = ExportRefusal(
                "\(export.title) requires a publisher; "
                    + "set \"pack.publisher\" to your name, in the settings or with --set.")
            for publisher in ["", " \u{202E}\n"] {
                #expect(throws: refusal) { try export.plan(.sample(9, publisher: publisher)) }
            }
        }
        let messengers: [any PackExport] = [
            WhatsAppExport(), TelegramExport(), SignalExport(), LINEExport(), IMessageExport(),
        ]
        for export in messengers { #expect(throws: ExportRefusal.self) { try export.plan(.sample(0)) } }
    }
}

extension PackEntry {
    func with(text: String, bytes: Int = 1) -> PackEntry {
        var changed = self
        (changed.name, changed.text, changed.bytes) = (text, text, bytes)
        return changed
    }
}
