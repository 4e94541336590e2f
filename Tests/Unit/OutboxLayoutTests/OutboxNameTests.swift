import OutboxLayout
import StickerStudio
import Testing

@Suite("Names in the outbox")
struct OutboxNameTests {
    private static let photo = "1a2b3c4d5e6f7081" + String(repeating: "9", count: 48)

    @Test("A folder named like one of Windows' devices, with any ending, becomes a pack that NTFS and SMB can store")
    func devices() throws {
        for name in ["aux", "Con", "NUL", "com1", "LPT9", "prn.2024", "COM\u{B9}"] {
            #expect(try OutboxName.packFolders(for: name).first == "_" + name)
        }
        for name in ["auxiliary", "com", "com10", "lpt", "console"] {
            #expect(try OutboxName.packFolders(for: name).first == name)
        }
    }

    @Test(
        "A stem becomes a safe and readable name",
        arguments: [
            ("cat", "cat"), ("Größe 1", "Größe-1"), ("家族写真", "家族写真"), ("a  b//c", "a-b-c"),
            ("../../etc/passwd", "etc-passwd"),
            (".hidden", "hidden"), ("..", ""), ("-rf", "rf"), ("trailing.", "trailing"), ("a\nb", "a-b"),
            ("$(reboot)`x`", "reboot-x"),
            ("a\\x0ab", "a-x0ab"), ("con:|<>\"*?", "con"), ("\u{202E}gpj", "gpj"), ("🐈", ""),
            ("snake_case-1.2", "snake_case-1.2"),
            ("\u{0}", ""), ("%2e%2e%2f", "2e-2e-2f"),
        ])
    func sanitized(stem: String, name: String) {
        #expect(OutboxName.sanitized(stem) == name)
    }

    @Test("Names of files and folders have nothing of a character that shows nothing, nor of its escape")
    func invisible() throws {
        let (escaped, photo) = ("\\xe2\\x80\\x8eAn\\xc2\\xadna", String(repeating: "5e", count: 32))
        #expect(OutboxName.stems(stem: escaped, photo: photo).first == "Anna-5e5e5e5e")
        #expect(try OutboxName.packFolders(for: escaped).first == "Anna")
        #expect(OutboxName.stems(stem: "\\xe2\\x80\\x8b", photo: photo).first == "5e5e5e5e")
    }

    @Test(
        "A long name leaves room for additions and is not cut within a character",
        arguments: ["x", "ö", "家", "e\u{301}"])
    func length(character: String) throws {
        let stem = String(repeating: character, count: 300)
        let names = OutboxName.stickers(stem: stem, photo: Self.photo, ordinal: 9, fileExtension: "png")
        #expect(names.allSatisfy { $0.utf8.count <= 255 })
        let kept = OutboxName.sanitized(stem)
        #expect(kept.utf8.count > 110)
        #expect(stem.hasPrefix(kept))
        #expect(try OutboxName.packFolders(for: stem).allSatisfy { $0.utf8.count <= 255 })
    }

    @Test("A sticker's name has stem, digits and number, if any; if it is taken, longer ones follow")
    func sticker() {
        func name(_ stem: String?, _ ordinal: Int = 0) -> String? {
            OutboxName.stickers(stem: stem, photo: Self.photo, ordinal: ordinal, fileExtension: "png").first
        }
        let names = OutboxName.stickers(stem: "cat", photo: Self.photo, ordinal: 0, fileExtension: "png")
        #expect(names == ["cat-1a2b3c4d.png", "cat-1a2b3c4d5e6f7081.png", "cat-\(Self.photo).png"])
        #expect(name("cat") == "cat-1a2b3c4d.png")
        #expect(name("cat", 1) == "cat-1a2b3c4d-2.png")
        #expect(name(nil) == "1a2b3c4d.png")
        #expect(name("...") == "1a2b3c4d.png")
    }

    @Test(
        "A pack's folder never has an empty or a reserved name",
        arguments: [
            ("Holiday", "Holiday"), ("palettes", "palettes-2"), ("exports", "exports-2"), ("Exports", "Exports-2"),
            ("", ""), ("feed.json", "feed.json-2"), ("packs.js", "packs.js-2"), ("Pack", "Pack-2"),
            ("Thumbnails", "Thumbnails-2"),
            ("pack.json", "pack.json-2"),
            ("INDEX.HTML", "INDEX.HTML-2"), ("cat-1a2b3c4d.png", "cat-1a2b3c4d.png-2"), ("a.WebP", "a.WebP-2"),
            ("Stic\u{212a}ers.zip", "Stic\u{212a}ers.zip-2"), ("\u{17f}tickers.zip", "\u{17f}tickers.zip-2"),
            ("!!!", "unnamed"), ("..", "unnamed"), (".pack.json", "pack.json-2"),
        ])
    func packFolder(pack: String, folder: String) throws {
        #expect(try OutboxName.packFolders(for: pack).first == folder)
    }

    @Test("No pack's folder ends like a sticker of any format")
    func endings() throws {
        #expect(OutboxName.stickerEndings == StickerFormat.allCases.map { "." + $0.fileExtension })
    }
}
