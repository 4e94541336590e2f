import Foundation
import PackFacts
import Testing

@testable import PackExports

@Suite struct HostileNamesTests {
    static let texts = [
        "", " ", "\"quoted\" 'text'", "../../etc/passwd", "a/b\\c", "..", ".", "-rf", ".hidden", "nul\u{0}l\nline",
        "\u{202E}gnp.tac", "\u{200F}שלום\u{200F}", "😀👨‍👩‍👧🏳️‍🌈", "می\u{200C}خواهم", "Straße Köln 日本語",
        String(repeating: "long ", count: 2000), String(repeating: "é", count: 10_000),
        "a" + String(repeating: "\u{301}", count: 10_000), "thumbnail", "TRAY", "contents", "a..b", "Contents.json",
        "files.txt", "withheld.txt",
        "CON", "%2e%2e%2f",
        "\u{2028}\u{2029}", "<script>", "x\u{FE0F}\u{E0020}",
    ]

    private func pack(_ text: String) -> Pack {
        Pack(
            name: text, identifier: text, publisher: text.isEmpty ? "Ada" : "Ada " + text, emoji: [],
            stickers: (0..<9).map { number in
                PackEntry(
                    id: "sha256:\(number)", file: number == 0 ? text + ".png" : text + "\(number).png", name: text,
                    text: text, emoji: [])
            })
    }

    @Test("Paths are safe, unique and short whatever stickers and packs are called", arguments: texts)
    func paths(text: String) throws {
        for export in Exports.all {
            let plan = try export.plan(pack(text))
            #expect(Set(plan.paths.map { $0.lowercased() }).count == plan.paths.count)
            for path in plan.paths { check(path, export.name) }
            let folders = plan.paths.filter { $0.contains("/") }.map { $0.prefix { $0 != "/" }.lowercased() }
            #expect(Set(folders).isDisjoint(with: plan.paths.map { $0.lowercased() } + ["files.txt", "withheld.txt"]))
            for file in plan.files {
                guard case .zip(let entries) = file.contents else { continue }
                #expect(Set(entries.map { $0.name.lowercased() }).count == entries.count)
                for entry in entries {
                    check(entry.name, export.name)
                    // The names of servers' stickers are shortcodes.
                    let isForServer = ["discord", "matrix", "mastodon", "misskey", "akkoma"].contains(export.name)
                    let name = entry.name.split(separator: "/").last ?? ""
                    #expect(!isForServer || name.wholeMatch(of: /[a-z0-9_][a-z0-9_.-]*/) != nil, "\(name)")
                    // Archives that programs read are flat; the others have the folders of the export.
                    #expect(!entry.name.contains("/") || ["discord", "imessage", "matrix"].contains(export.name))
                }
            }
        }
    }

    private func check(_ path: String, _ export: String) {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(components.count <= 3)
        for component in components {
            #expect(!component.isEmpty && component.utf8.count <= 200 && !component.contains(".."), "\(path)")
            #expect(component.first != "." && component.first != "-", "\(path)")
            let isHarmless = component.unicodeScalars.allSatisfy { scalar in
                scalar == "." || scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
                    || scalar.properties.numericType != nil || scalar.properties.generalCategory == .nonspacingMark
            }
            #expect(isHarmless, "\(path) in \(export)")
            #expect(!component.unicodeScalars.contains { $0.properties.isDefaultIgnorableCodePoint }, "\(path)")
        }
    }

    @Test("Texts keep the messengers' limits, and the JSON can be read", arguments: texts)
    func contents(text: String) throws {
        for export in Exports.all {
            for file in try export.plan(pack(text)).files where file.path.hasSuffix(".json") {
                guard case .bytes(let bytes) = file.contents else { continue }
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
                #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A })
                #expect(bytes.firstRange(of: Array("\\/".utf8)) == nil)
            }
        }
        try whatsApp(text)
        try telegram(text)
    }

    private func whatsApp(_ text: String) throws {
        let contents = try WhatsAppExport().plan(pack(text)).object("contents.json")
        let whatsApp = try #require(try contents.objects("sticker_packs").first)
        for key in ["identifier", "name", "publisher"] {
            #expect((1...128).contains(try whatsApp.text(key).utf16.count))
        }
        // StickerPackValidator.java: [\w-.,'\s]+, which is ASCII in Java.
        #expect(try whatsApp.text("identifier").wholeMatch(of: /[A-Za-z0-9_\-.,' ]+/) != nil)
        for sticker in try whatsApp.objects("stickers") {
            #expect(try sticker.text("accessibility_text").utf16.count <= 125)
        }
    }

    private func telegram(_ text: String) throws {
        let plan = try TelegramExport().plan(pack(text))
        let path = try #require(plan.paths.first { $0.hasSuffix("/create.json") })
        let creation = try plan.object(path)
        let name = try creation.text("name")
        #expect(name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*_by_<bot>/) != nil)
        #expect(!name.contains("__"))
        // 32 characters: https://core.telegram.org/bots/features#creating-a-new-bot
        #expect(name.replacing("<bot>", with: String(repeating: "b", count: 32)).utf8.count <= 64)
        #expect((1...64).contains(try creation.text("title").utf16.count))
        for sticker in try creation.objects("stickers") {
            let keywords = try #require(sticker["keywords"] as? [String])
            #expect(keywords.count <= 20 && keywords.reduce(0) { $0 + $1.utf16.count } <= 64)
        }
    }

    @Test("Readable names stay as they are")
    func readable() {
        for file in ["hello-1a2b3c4d.png", "Zoë_2024.06.01-1a2b3c4d-2.webp", "日本語-1a2b3c4d.png", "a--b.png"] {
            let sticker = PackEntry(id: "sha256:1", file: file, name: "x", text: "x", emoji: [])
            #expect(ExportFileName.stem(of: sticker) == sticker.stem)
        }
    }

    @Test("Texts are cut between characters, in UTF-16 code units")
    func cut() {
        #expect(ExportText.cut("abc", to: 3) == "abc")
        #expect(ExportText.cut("abcd", to: 3) == "abc")
        #expect(ExportText.cut("ab👨‍👩‍👧", to: 5) == "ab")
        #expect(ExportText.cut("one two", to: 4) == "one")
        #expect(ExportText.cut("👨‍👩‍👧", to: 2) == "👨")
        #expect(ExportText.cut(" a\u{202E}\n\tb ", to: 9) == "a b")
    }

    @Test("The second set's number is kept when its title is cut")
    func numbered() {
        let pack = Pack(
            name: String(repeating: "a", count: 99), identifier: "a", publisher: "", emoji: [], stickers: [])
        #expect(ExportText.title(of: pack, set: 12, limit: 10) == "aaaaaaa 12")
        #expect(ExportText.title(of: pack, set: 1, limit: 10) == "aaaaaaaaaa")
    }

    @Test("JSON keeps the given order and escapes what it must")
    func json() {
        let value: OrderedJSON = ["b": "\"/\\\u{1}", "a": [1, true, []]]
        #expect(
            String(decoding: value.bytes(.readable()), as: UTF8.self) == """
                {
                  "b": "\\"/\\\\\\u0001",
                  "a": [
                    1,
                    true,
                    []
                  ]
                }

                """)
    }
}
