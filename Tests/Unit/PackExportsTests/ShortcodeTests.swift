import PackFacts
import TestSupport
import Testing

@testable import PackExports

@Suite("Shortcodes", .timeLimit(.minutes(1)))
struct ShortcodeTests {
    private func sticker(_ text: String, file: String = "1a2b3c4d.png") -> PackEntry {
        PackEntry(id: "sha256:1", file: file, name: "x", text: text, emoji: [])
    }

    private func pack(_ stickers: [PackEntry]) -> Pack {
        Pack(name: "Cats", identifier: "cats", publisher: "", emoji: [], stickers: stickers)
    }

    @Test(
        "Texts of any script become ASCII",
        arguments: [
            ("Waving cat", "waving_cat"), ("Привет, мир!", "privet_mir"), ("Καλημέρα κόσμε", "kalemera_kosme"),
            ("你好世界", "ni_hao_shi_jie"), ("こんにちは カタカナ", "konnichiha_katakana"), ("مرحبا بالعالم", "mrhba_balalm"),
            ("Grüße aus Köln, Straße", "grusse_aus_koln_strasse"), ("안녕하세요", "annyeonghaseyo"), ("שלום", "slwm"),
            ("नमस्ते", "namaste"), ("สวัสดี", "swasdi"), ("Ærø Łódź", "aero_lodz"), ("İstanbul", "istanbul"),
            ("don't — can’t", "dont_cant"), ("e\u{301}te\u{301}", "ete"), ("Ａｂｃ １２", "abc_12"), ("a_b__c", "a_b_c"),
            ("ﬁne № 1", "fine_no_1"), ("cat 🐱 dog", "cat_dog"),
        ])
    func transliteration(text: String, shortcode: String) {
        #expect(Shortcode.from(sticker(text)) == shortcode)
    }

    @Test(
        "Texts without two letters leave it to the file's name, and that to a fixed word",
        arguments: [
            ("", "IMG_2041-1a2b3c4d.png", "img_2041_1a2b3c4d"), ("🐱😀", "1a2b3c4d.png", "1a2b3c4d"),
            ("A", "A-1a2b3c4d.png", "a_1a2b3c4d"), ("", "🐱.png", "sticker"), ("", "", "sticker"),
            ("", ".png", "sticker"),
            ("...", "кот", "kot"),
        ])
    func fallbacks(text: String, file: String, shortcode: String) {
        #expect(Shortcode.from(sticker(text, file: file)) == shortcode)
    }

    @Test(
        "Hostile names become valid shortcodes",
        arguments: [
            "../../etc/passwd", "a\u{0}b", "\u{202E}gnp.exe", "<script>alert(1)</script>", "\"; rm -rf /", "a\nb\r\nc",
            String(repeating: "z", count: 2000), String(repeating: "a ", count: 1000),
            "x" + String(repeating: "\u{301}", count: 2000), String(repeating: "漢", count: 3000),
            "\u{FFFF}\u{10FFFF}",
            "___", "con", "%2e%2e", "👨‍👩‍👧‍👦\u{200D}\u{FE0F}",
        ])
    func hostile(text: String) throws {
        for sticker in [sticker(text), sticker("", file: text)] {
            #expect(Shortcode.isValid(Shortcode.from(sticker)))
        }
        var book = NameBook()
        let shortcodes = try Shortcode.listed(pack([sticker(text, file: "a"), sticker(text, file: "b")]), &book)
        #expect(shortcodes.allSatisfy(Shortcode.isValid) && Set(shortcodes).count == 2)
    }

    @Test("Long names are cut after a word")
    func cut() {
        #expect(Shortcode.cut("the_quick_brown_fox_jumps_over_the_dog", to: 32) == "the_quick_brown_fox_jumps_over")
        #expect(
            Shortcode.cut("a_" + String(repeating: "b", count: 40), to: 32) == "a_" + String(repeating: "b", count: 30))
        #expect(Shortcode.cut("abcd_efgh", to: 4) == "abcd")
        #expect(Shortcode.cut("abcd", to: 4) == "abcd")
    }

    @Test("Only two to 32 of a-z, 0-9 and _ are valid")
    func validity() {
        for valid in ["ab", "a1", "__", "12", String(repeating: "a", count: 32)] { #expect(Shortcode.isValid(valid)) }
        for invalid in ["", "a", "A1", "a-b", "a.b", "ä1", "a b", "a\n", String(repeating: "a", count: 33)] {
            #expect(!Shortcode.isValid(invalid))
        }
    }

    @Test("The same words get numbers, which skip those that are taken")
    func numbers() throws {
        var book = NameBook()
        book.stickers["gone.png"] = .init(shortcode: "cat_3")
        let stickers = (0..<4).map { sticker("Cat", file: "\($0).png") } + [sticker("Cat 2", file: "x.png")]
        #expect(try Shortcode.listed(pack(stickers), &book) == ["cat", "cat_2", "cat_4", "cat_5", "cat_2_2"])
    }

    @Test("Two stickers of one file name are refused", arguments: ["a.png", "\u{E9}.png"])
    func sameFile(file: String) {
        var book = NameBook()
        // Swift's strings are equal if they are canonically equivalent.
        let twins = [sticker("a1", file: file), sticker("a2", file: file == "a.png" ? file : "e\u{301}.png")]
        #expect(throws: ExportRefusal.self) { try Shortcode.listed(pack(twins), &book) }
    }

    @Test("Shortcodes never change and are never given again", arguments: 1...20 as ClosedRange<UInt64>)
    func stability(seed: UInt64) throws {
        var random = TestRandom(state: seed)
        let texts = ["cat", "Cat 2", "cat_2", "кот", "", "🐱", "a", String(repeating: "long words ", count: 9)]
        var (book, present, made) = (NameBook(), [PackEntry](), 0)
        var owners: [String: String] = [:]
        for step in 0..<120 {
            let text = texts.randomElement(using: &random) ?? ""
            let place = Int.random(in: 0...max(present.count - 1, 0), using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where !present.isEmpty: present.remove(at: place)
            case 1 where !present.isEmpty: present[place] = sticker(text, file: present[place].file)
            case 2 where !present.isEmpty:
                // By hand.
                let file = present[place].file
                guard let former = book.stickers[file]?.shortcode else { break }
                owners[former] = nil
                book.stickers[file]?.shortcode = "edited_\(step)"
                owners["edited_\(step)"] = file
            case 3: book = try NameBook(json: book.json)
            default:
                made += 1
                present.append(sticker(text, file: "\(made).png"))
            }
            let shortcodes = try Shortcode.listed(pack(present), &book)
            #expect(shortcodes.allSatisfy(Shortcode.isValid))
            #expect(Set(shortcodes).count == present.count)
            for (sticker, shortcode) in zip(present, shortcodes) {
                #expect(owners[shortcode, default: sticker.file] == sticker.file)
                owners[shortcode] = sticker.file
            }
            // Each file has one shortcode for ever.
            #expect(Set(owners.values).count == owners.count)
        }
        #expect(made > 30)
    }

    @Test(
        "The cost is linear: a quadratic one takes many minutes",
        arguments: ["Кот", "", String(repeating: "long words ", count: 9)])
    func cost(text: String) throws {
        var book = NameBook()
        let all = pack((0..<10_000).map { sticker(text, file: "🐱\($0).png") })
        let shortcodes = try Shortcode.listed(all, &book)
        book = try NameBook(json: book.json)
        #expect(try Shortcode.listed(all, &book) == shortcodes)
        #expect(Set(shortcodes).count == 10_000)
    }
}
