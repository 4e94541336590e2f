import FileNames
import Testing

@Suite("Inbox paths")
struct InboxPathTests {
    @Test(
        "The escaped path of any bytes is one printable line that decodes to the same bytes",
        arguments: [
            Array("cat.jpg".utf8), Array("Holiday/Größe 1/家族写真.heic".utf8), [0xFF, 0xFE, 0x2F, 0x80],
            Array("a\nPRIORITY=0\r\u{1B}[2J".utf8), Array("back\\slash\\x41".utf8), Array("\u{202E}gpj.exe".utf8),
            Array("👩‍👩‍👧.png".utf8), [0xC3], [0xE2, 0x80], [],
        ] as [[UInt8]])
    func escaping(bytes: [UInt8]) {
        let text = InboxPath(bytes: bytes).description
        #expect(InboxPath(escaped: text)?.bytes == bytes)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x202E })
    }

    @Test("Ordinary names are not escaped")
    func ordinary() {
        #expect(InboxPath(bytes: Array("Ferien/Größe 👩‍👧.jpg".utf8)).description == "Ferien/Größe 👩‍👧.jpg")
    }

    @Test(
        "What people read has nothing that shows nothing, but what words and emoji need",
        arguments: [
            ("\u{200E}WhatsApp photo", "WhatsApp photo"), ("big\u{200B}cat", "bigcat"),
            ("schmetter\u{AD}ling", "schmetterling"),
            ("\u{2068}Anna\u{2069} waving", "Anna waving"), ("\u{FEFF}dog", "dog"),
            ("a\u{2066}\u{200F}\u{202E}b\u{202C}", "ab"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("ශ්\u{200D}රී", "ශ්\u{200D}රී"),
            ("\u{200D}cat \u{200D}dog\u{200C}", "cat dog"),
            ("👩‍👩‍👧 ❤️", "👩‍👩‍👧 ❤️"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿 Wales", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Wales"), ("cat\u{E0067}\u{E007F}", "cat"),
            ("a\u{FE0F}b\u{3164}\u{180E}", "ab"),
            ("two\nlines\u{2028}and\u{1B}[2J\u{0}", "two lines and[2J"), ("back\\slash", "back\\slash"),
            ("\u{E000}\u{FFFE}x", "x"),
            ("cafe\u{301} Größe 家族", "cafe\u{301} Größe 家族"), ("", ""), ("\u{200B}", ""),
        ])
    func shown(name: String, text: String) {
        let path = InboxPath(bytes: Array(name.utf8))
        #expect(Array(path.shown.utf8) == Array(text.utf8))
        #expect(Array(InboxPath.shown(escaped: path.description).utf8) == Array(text.utf8))
    }

    @Test("What is not UTF-8 is read as replacement characters")
    func shownBytes() {
        #expect(InboxPath(bytes: Array("Gr".utf8) + [0xF6, 0xDF] + Array("e".utf8)).shown == "Gr\u{FFFD}\u{FFFD}e")
    }

    @Test("Text that is not an escaped path is rejected", arguments: ["\\", "\\n", "\\x1", "\\xzz", "\\x+f"])
    func refused(text: String) {
        #expect(InboxPath(escaped: text) == nil)
    }

    @Test("The first folder level names the pack, and only the last extension is cut from the stem")
    func parts() {
        let path = InboxPath(bytes: Array("Holiday/day 1/cat.tar.jpg".utf8))
        #expect(path.pack == "Holiday")
        #expect(path.folder == InboxPath(bytes: Array("Holiday/day 1".utf8)))
        #expect(path.stem == "cat.tar")
        #expect(InboxPath(bytes: Array(".jpg".utf8)).stem == ".jpg")
        #expect(InboxPath(bytes: Array("cat.jpg".utf8)).pack == nil)
    }
}
