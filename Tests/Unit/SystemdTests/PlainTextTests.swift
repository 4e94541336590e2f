import Systemd
import Testing

@Suite("Plain text")
struct PlainTextTests {
    @Test(
        "keeps words and escapes control characters",
        arguments: [
            ("cat.jpg", "cat.jpg"),
            ("Katze Ä 猫 👩‍👩‍👧.jpg", "Katze Ä 猫 👩‍👩‍👧.jpg"),
            ("a\nb", "a\\x0ab"),
            ("a\r\nb", "a\\x0d\\x0ab"),
            ("\u{1B}[31mred", "\\x1b[31mred"),
            ("tab\there", "tab\\x09here"),
            ("gpj.\u{202E}exe", "gpj.\\xe2\\x80\\xaeexe"),
            ("\u{2028}line", "\\xe2\\x80\\xa8line"),
            ("back\\x0aslash", "back\\x0aslash"),
            ("", ""),
        ])
    func escapes(text: String, expected: String) {
        #expect(PlainText.escaped(text, limit: 1000) == expected)
    }

    @Test("is cut at a whole character, within the limit", arguments: 3...20)
    func cuts(limit: Int) {
        let text = "añ猫👍\u{07}end of it all"
        let cut = PlainText.escaped(text, limit: limit)
        #expect(cut.utf8.count <= limit)
        #expect(cut.hasSuffix("…"))
        #expect(PlainText.escaped(text, limit: 1000).hasPrefix(cut.dropLast()))
    }

    @Test("of exactly the limit is not cut")
    func fits() {
        #expect(PlainText.escaped("12345", limit: 5) == "12345")
    }
}
