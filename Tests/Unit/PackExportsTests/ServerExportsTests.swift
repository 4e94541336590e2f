import Foundation
import PackFacts
import StickerStudio
import Testing

@testable import PackExports

@Suite("Exports for servers", .timeLimit(.minutes(1)))
struct ServerExportsTests {
    private static let names = ["discord", "matrix", "mastodon", "misskey", "akkoma", "emoji"]

    private func plan(_ name: String, _ pack: Pack) throws -> ExportPlan {
        var book = NameBook()
        return try #require(Exports.named(name)).plan(pack, &book)
    }

    /// All pictures of a plan, by their paths or their names in archives.
    private func pictures(_ plan: ExportPlan) -> [(name: String, picture: ExportPicture)] {
        plan.files.flatMap { file -> [(name: String, picture: ExportPicture)] in
            switch file.contents {
            case .picture(let picture): return [(file.path, picture)]
            case .bytes: return []
            case .zip(let entries), .tarGz(let entries):
                return entries.compactMap { entry in
                    if case .picture(let picture) = entry.contents { (entry.name, picture) } else { nil }
                }
            }
        }
    }

    /// What each place accepts.
    struct Rule: Sendable {
        let export: String
        let folder: String
        let side: Int
        let format: StickerFormat
        let maxBytes: Int
    }

    @Test(
        "Pictures have the sizes that each place accepts",
        arguments: [
            // Discord Developer Documentation, "Create Guild Sticker": 320 x 320 pixels, PNG, at most 512 KiB.
            Rule(export: "discord", folder: "stickers/", side: 320, format: .png, maxBytes: 512_000),
            // The same, "Create Guild Emoji": 128x128, at most 256 KiB.
            Rule(export: "discord", folder: "emoji/", side: 128, format: .png, maxBytes: 256_000),
            // Matrix Client-Server API 1.19, "Image properties": stickers of at least 512×512.
            Rule(export: "matrix", folder: "stickers/", side: 512, format: .webp, maxBytes: 300_000),
            // mastodon/mastodon, app/models/custom_emoji.rb: LIMIT = 50.kilobytes, later 256.
            Rule(export: "mastodon", folder: "", side: 128, format: .png, maxBytes: 50_000),
            Rule(export: "misskey", folder: "", side: 128, format: .png, maxBytes: 50_000),
            Rule(export: "akkoma", folder: "", side: 128, format: .png, maxBytes: 50_000),
            Rule(export: "emoji", folder: "", side: 128, format: .png, maxBytes: 50_000),
        ])
    func rules(rule: Rule) throws {
        var plan = try plan(rule.export, .sample(3))
        // Their archives have the files of folders once more.
        if !rule.folder.isEmpty { plan.files.removeAll(where: \.isDownload) }
        let made = pictures(plan).filter { $0.name.hasPrefix(rule.folder) }
        let ending = "." + rule.format.fileExtension
        #expect(made.map(\.name) == ["cat_0", "cat_1", "cat_2"].map { rule.folder + $0 + ending })
        for form in made.map(\.picture.form) {
            #expect(form.width == rule.side && form.height == rule.side && form.fit == .canvas && form.isDrawable)
            #expect(form.format == rule.format && form.maxBytes <= rule.maxBytes)
        }
    }

    @Test("Emoji have one form, so that each is made once")
    func oneForm() throws {
        let forms = try ["discord", "mastodon", "misskey", "akkoma", "emoji"].flatMap { name in
            pictures(try plan(name, .sample(2))).map(\.picture.form).filter { $0.width == 128 }
        }
        #expect(Set(forms).count == 1)
    }

    @Test("Discord's list has a name, a description and an emoji within its limits")
    func discord() throws {
        let long = String(repeating: "🐈‍⬛", count: 100)
        let stickers = ["Waving cat", "", "A", long, String(repeating: "x", count: 300)].enumerated().map {
            index, text in
            PackEntry(
                id: "\(index)", file: "\(index)f.png", name: text.isEmpty ? "🐱" : text, text: text,
                emoji: index == 0 ? ["🐱", "👋"] : [])
        }
        let pack = Pack(name: "Cats", identifier: "cats", publisher: "", emoji: [], stickers: stickers)
        let plan = try plan("discord", pack)
        let list = try plan.object("stickers.json")
        #expect(Set(list.keys) == ["stickers"])
        let entries = try #require(list["stickers"] as? [[String: String]])
        // "Create Guild Sticker": name 2-30 characters, description empty or 2-100, tags at most 200, and the file.
        for entry in entries {
            #expect(Set(entry.keys) == ["file", "name", "description", "tags"])
            let (name, description) = (entry["name"] ?? "", entry["description"] ?? "")
            #expect(name.count >= 2 && name.utf16.count <= 30)
            #expect(description.isEmpty || description.count >= 2 && description.utf16.count <= 100)
            #expect((1...200).contains(entry["tags"]?.utf16.count ?? 0))
            #expect(plan.files.contains { $0.path == entry["file"] })
        }
        #expect(
            entries.first == [
                "file": "stickers/waving_cat.png", "name": "Waving cat", "description": "Waving cat", "tags": "🐱",
            ])
        #expect(entries[1]["name"] == "1f" && entries[1]["description"] == "" && entries[1]["tags"] == "❤️")
        #expect(try self.plan("discord", .sample(5)).notes.isEmpty)
        let note = try self.plan("discord", .sample(6)).notes.joined()
        #expect(note.contains("room for 5 of these 6"))
    }

    @Test("Matrix's lists have the keys of the specification, and stay below the size of an event")
    func matrix() throws {
        let plan = try plan("matrix", .sample(2))
        let list = try plan.object("image-pack.json")
        // Client-Server API 1.19, m.room.image_pack: images (url, body, info) and pack (display_name, avatar_url,
        // usage, attribution), without what only the homeserver knows.
        #expect(Set(list.keys) == ["images", "pack"])
        let pack = try #require(list["pack"] as? [String: Any])
        #expect(Set(pack.keys) == ["display_name", "attribution", "usage"])
        #expect(pack["display_name"] as? String == "Cats" && pack["attribution"] as? String == "Ada")
        #expect(pack["usage"] as? [String] == ["sticker"])
        let images = try #require(list["images"] as? [String: [String: Any]])
        #expect(Set(images.keys) == ["cat_0", "cat_1"])
        let image = try #require(images["cat_0"])
        #expect(Set(image.keys) == ["body", "info"] && image["body"] as? String == "Cat 0")
        let info = try #require(image["info"] as? [String: Any])
        #expect(Set(info.keys) == ["w", "h", "mimetype"])
        #expect(info["w"] as? Int == 512 && info["h"] as? Int == 512 && info["mimetype"] as? String == "image/webp")
        #expect(plan.notes.count == 1 && plan.notes.joined().contains("mxc://"))
        let anonymous = try self.plan("matrix", .sample(1, publisher: "")).object("image-pack.json")
        #expect(Set((anonymous["pack"] as? [String: Any] ?? [:]).keys) == ["display_name", "usage"])

        // "Size limits": an event is at most 65,536 bytes; a url may take 255 of them.
        let quotes = String(repeating: "\"", count: 500)
        let stickers = (0..<250).map { PackEntry.sample($0, text: quotes + "\($0)") }
        let large = Pack(name: quotes, identifier: "x", publisher: quotes, emoji: [], stickers: stickers)
        let lists = try self.plan("matrix", large).files.compactMap { file -> [UInt8]? in
            if case .bytes(let bytes) = file.contents { bytes } else { nil }
        }
        #expect(lists.count == 3)
        for list in lists {
            let compact = try JSONSerialization.data(withJSONObject: ExportPlan.object(list))
            #expect(compact.count + 100 * (255 + "\"url\":\"\",".utf8.count) < 65_536 - 1000)
        }
    }

    @Test("Misskey's list has the keys that its import reads")
    func misskey() throws {
        let pack = Pack(
            name: "Cats", identifier: "cats", publisher: "Ada", emoji: [],
            stickers: [.sample(0, text: "Waving  cat cat", emoji: ["👋🏽"])])
        let meta = try plan("misskey", pack).object("meta.json")
        // ExportCustomEmojisProcessorService.ts writes these, ImportCustomEmojisProcessorService.ts reads `emojis`.
        #expect(Set(meta.keys) == ["metaVersion", "host", "exportedAt", "emojis"])
        #expect(meta["metaVersion"] as? Int == 2)
        let record = try #require((meta["emojis"] as? [[String: Any]])?.first)
        #expect(Set(record.keys) == ["downloaded", "fileName", "emoji"])
        #expect(record["downloaded"] as? Bool == true && record["fileName"] as? String == "waving_cat_cat.png")
        let emoji = try #require(record["emoji"] as? [String: Any])
        #expect(Set(emoji.keys) == ["name", "category", "aliases", "license"])
        #expect(emoji["name"] as? String == "waving_cat_cat" && emoji["category"] as? String == "Cats")
        #expect(emoji["aliases"] as? [String] == ["👋🏽", "Waving", "cat"] && emoji["license"] is NSNull)
    }

    @Test("Misskey's import accepts the names of the files")
    func misskeyNames() throws {
        let texts = ["a_b", "_a_", "1_", "cat_2", "кот", "x__y"]
        let pack = Pack(
            name: "C", identifier: "c", publisher: "", emoji: [],
            stickers: texts.enumerated().map { .sample($0, text: $1) })
        var book = NameBook()
        book.stickers[pack.stickers[0].file] = .init(shortcode: "__a__")
        // As in ImportCustomEmojisProcessorService.ts.
        let allowed = try NSRegularExpression(pattern: #"^[a-zA-Z0-9_]+?([a-zA-Z0-9\.]+)?$"#)
        let made = pictures(try MisskeyExport().plan(pack, &book))
        #expect(made.count == texts.count)
        for (name, _) in made {
            #expect(
                allowed.firstMatch(in: name, range: NSRange(location: 0, length: name.utf16.count)) != nil, "\(name)")
        }
    }

    @Test("Akkoma's list has the keys that it writes itself")
    func akkoma() throws {
        let list = try plan("akkoma", .sample(2)).object("pack.json")
        // lib/pleroma/emoji/pack.ex: @derive {Jason.Encoder, only: [:files, :pack, :files_count]}.
        #expect(Set(list.keys) == ["files", "pack", "files_count"])
        #expect(list["files"] as? [String: String] == ["cat_0": "cat_0.png", "cat_1": "cat_1.png"])
        #expect(list["files_count"] as? Int == 2)
        let pack = try #require(list["pack"] as? [String: Any])
        #expect(Set(pack.keys) == ["description", "share-files"])
        #expect(pack["description"] as? String == "Cats (Ada)" && pack["share-files"] as? Bool == false)
    }

    @Test("Large packs become numbered archives, which are the same sets in all exports of emoji")
    func archives() throws {
        var (book, books) = (NameBook(), [NameBook]())
        for name in Self.names.dropFirst(2) {
            let files = try #require(Exports.named(name)).plan(.sample(250), &book).files
            let ending = name == "mastodon" ? "tar.gz" : "zip"
            #expect(files.map(\.path) == ["cats", "cats_set2", "cats_set3"].map { "\($0).\(ending)" })
            books.append(book)
        }
        #expect(books.allSatisfy { $0 == books[0] })
    }
}
