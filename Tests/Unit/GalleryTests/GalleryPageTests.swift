import Foundation
import Gallery
import LinuxIO
import PackFacts
import Testing

@Suite("The gallery's page")
struct GalleryPageTests {
    @Test("The data block has all contents, and the number of photos without a sticker, of which some are not listed")
    func data() throws {
        let stickers = [GalleryFixture.sticker("cat", thumbnail: "thumbnails/cat.webp"), GalleryFixture.sticker("dog")]
        var pack = GalleryFixture.pack(stickers: stickers)
        pack.photos.without = 3
        let page = try GalleryFixture.page(
            pack, archive: .init(file: "stickers.zip", bytes: 99, stickers: 2))
        #expect(!page.contains("{{"), "a slot is left")
        let data = try GalleryFixture.data(of: page)
        #expect(data["revision"] as? Int == 7)
        #expect(data["pending"] as? Int == 1)
        #expect(data["total"] as? Int == 6)
        #expect(data["withoutCount"] as? Int == 3)
        #expect((data["archive"] as? [String: Any])?["bytes"] as? Int == 99)
        let listed = try #require(data["stickers"] as? [[String: Any]])
        #expect(listed.map { $0["name"] as? String } == ["cat", "dog"])
        #expect(listed[0]["thumbnail"] as? String == "thumbnails/cat.webp")
        #expect(listed[0]["photo"] as? String == "0000ff1388ff00001388")
        #expect(listed[0]["subject"] == nil)
        #expect((data["waiting"] as? [[String: String]]) == [["name": "dog"]])
        #expect((data["without"] as? [[String: String]]) == [["name": "fog", "reason": "no clear subject"]])
        #expect(page.contains("<script src=\"../packs.js\""))
    }

    @Test("A page loads the list of exports only if its pack has exports")
    func exports() throws {
        #expect(!(try GalleryFixture.page()).contains("id=\"exports-list\""))
        #expect(
            try GalleryFixture.page(exports: "exports/exports.js")
                .contains("<script src=\"exports/exports.js\" id=\"exports-list\" defer></script>"))
    }

    @Test("An invalid number is written as a valid one", arguments: [1e300, -.infinity, .nan, .infinity])
    func nonsense(number: Double) throws {
        let json: OrderedJSON = ["x": .fraction(number)]
        let data = try JSONDecoder().decode([String: Double].self, from: Data(json.bytes()))
        #expect(data["x"].map { (0...1).contains($0) } == true)
    }

    @Test(
        "Untrusted text is never markup, in any place, and is decoded unchanged",
        arguments: [
            "</script><script>alert(1)</script>", "</SCRIPT ><svg onload=alert(1)>", "<!--<script>", "]]>", "--!>",
            "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "&lt;&#60;&quot;", "\\u003c/script\\u003e",
            "javascript:alert(1)//", "\u{2028}alert(1)\u{2029}", "two\nlines\u{0}\u{1f}\u{7f}", "\u{202e}evil", "שלום",
            "🦊",
            "e\u{301}", "{{script}}", "",
        ])
    func everywhere(text: String) throws {
        let page = try GalleryFixture.page(everywhere: text)
        let block = try #require(
            GalleryFixture.between("<script type=\"application/json\" id=\"contents\">", "</script>", page))
        #expect(!block.unicodeScalars.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
        let data = try GalleryFixture.data(of: page)
        let texts = [
            (data["pack"] as? [String: String])?["publisher"], (data["archive"] as? [String: Any])?["file"] as? String,
            (data["waiting"] as? [[String: String]])?.first?["name"],
            (data["without"] as? [[String: String]])?.first?["reason"],
            (data["stickers"] as? [[String: Any]])?.first?["thumbnail"] as? String,
        ]
        // Compared scalar by scalar: equal strings may have different scalars.
        for found in texts { #expect(found.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars)) }
        // Outside the block, in title, heading, icon and link preview, it is escaped: the markup does not change.
        let plain = try GalleryFixture.page(everywhere: "x")
        for mark in ["<", ">", "\"", "<script", "</script"] {
            let counts = [page, plain].map { text in
                GalleryFixture.outside(text).components(separatedBy: mark).count
            }
            #expect(counts[0] == counts[1], "\(mark)")
        }
    }

    @Test("The icon is the first sticker, its address percent-encoded")
    func icon() throws {
        let sticker = GalleryFixture.sticker("x", thumbnail: "thumbnails/100% cät #1?.webp")
        let page = try GalleryFixture.page(GalleryFixture.pack(stickers: [sticker]))
        #expect(page.contains("<link rel=\"icon\" href=\"thumbnails/100%25%20c%C3%A4t%20%231%3F.webp\">"))
    }

    @Test("The policy has the hash of the page's own style, and allows no script in the page")
    func policy() throws {
        let page = try GalleryFixture.page()
        let text = try #require(GalleryFixture.between("<style>", "</style>", page))
        let hash = Data(try ContentDigest.sha256(of: Array(text.utf8)).bytes).base64EncodedString()
        #expect(page.contains("style-src 'sha256-\(hash)';") && page.contains("script-src 'self';"))
        #expect(!page.contains("<script>"))
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("unsafe-"))
        #expect(!page.contains(" style="))
    }

    @Test(
        "No name breaks out of a script, and every name is decoded unchanged",
        arguments: [
            "\"]);alert(1)//", "</script>", "\u{2028}alert(1)\u{2029}", "\\\"", "\n", "${x}", "`", "🦊",
        ])
    func script(name: String) throws {
        let text = String(decoding: PageScript.text(page: "0001-7", [GalleryFixture.sticker(name)]), as: UTF8.self)
        #expect(text.hasPrefix("stickerd.page(\"0001-7\",[\n{") && text.hasSuffix("}]);\n"))
        #expect(!text.unicodeScalars.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
        let json = text.dropFirst("stickerd.page(\"0001-7\",".count).dropLast(3)
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect((entries.first?["name"] as? String).map { Array($0.unicodeScalars) } == Array(name.unicodeScalars))
    }

    @Test("The page loads its script from a file whose name has the digest of its contents")
    func code() throws {
        let name = try PageCode.name.get()
        #expect(try PageCode.name(of: ContentDigest.sha256(of: PageCode.bytes)) == name)
        let page = try GalleryFixture.page()
        #expect(page.contains("<script src=\"pack/\(name)\" defer></script>"))
        for other in ["gallery-0123456789abcde.js", "gallery-0123456789ABCDEF.js", "0001-7.js", "gallery-\(name)"] {
            #expect(!PageCode.isFile("pack/\(other)"))
            #expect(!PageCode.isFile(other))
        }
    }

    @Test("Link previews need a base URL, and have absolute addresses")
    func preview() throws {
        let pack = GalleryFixture.pack("A & B", stickers: [GalleryFixture.sticker("100% cat")])
        #expect(!(try GalleryFixture.page(pack)).contains("og:"))
        for base in ["https://example.org/pack", "https://example.org/pack/"] {
            let page = try GalleryFixture.page(pack, baseURL: base)
            #expect(page.contains("<meta property=\"og:image\" content=\"https://example.org/pack/100%25%20cat.png\">"))
            #expect(page.contains("<meta property=\"og:title\" content=\"A &amp; B\">"))
            #expect(page.contains("<meta property=\"og:description\" content=\"1 sticker\">"))
        }
    }

    @Test("An empty pack has a page")
    func empty() throws {
        let page = try GalleryFixture.page(GalleryFixture.pack(stickers: []))
        #expect((try GalleryFixture.data(of: page)["stickers"] as? [Any])?.isEmpty == true)
        #expect(page.contains("<link rel=\"icon\" href=\"data:,\">"))
    }
}
