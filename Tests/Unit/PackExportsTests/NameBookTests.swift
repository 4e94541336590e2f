import Foundation
import Testing

@testable import PackExports

@Suite("The book of names", .timeLimit(.minutes(1)))
struct NameBookTests {
    private func read(_ json: String) throws -> NameBook { try NameBook(json: Array(json.utf8)) }

    private func reason(_ json: String) -> String {
        do {
            _ = try read(json)
            return ""
        } catch let refusal as ExportRefusal {
            return refusal.reason
        } catch {
            return "\(error)"
        }
    }

    @Test("Each sticker has a line, in a fixed order")
    func layout() throws {
        var book = NameBook()
        book.stickers["b.png"] = .init(shortcode: "dog", sets: ["whatsapp": 2, "emoji": 1])
        book.stickers["a \"1\".png"] = .init(shortcode: "cat")
        book.stickers["c.png"] = .init()
        let text = """
            {
              "stickers": {
                "a \\"1\\".png": {"shortcode": "cat"},
                "b.png": {"shortcode": "dog", "sets": {"emoji": 1, "whatsapp": 2}},
                "c.png": {}
              }
            }

            """
        #expect(String(decoding: book.json, as: UTF8.self) == text)
        #expect(try read(text) == book)
        #expect(try NameBook(json: NameBook().json) == NameBook())
    }

    @Test("Names with any character come back", arguments: ["\u{1}\t\n\\\"/", "кот 🐱.png", "\u{2028}", "</script>"])
    func names(file: String) throws {
        var book = NameBook()
        book.stickers[file] = .init(shortcode: "ab")
        #expect(try NameBook(json: book.json) == book)
    }

    @Test("A shortcode edited by hand is kept")
    func edited() throws {
        var book = try read(#"{"stickers": {"Cat-00000001.png": {"shortcode": "my_own_1"}}}"#)
        #expect(try Shortcode.listed(.sample(3), &book) == ["cat_0", "my_own_1", "cat_2"])
    }

    @Test(
        "A book with an error is refused by a sentence that names the entry",
        arguments: [
            (#"{"stickers": {"a.png": {"shortcode": "Ab"}}}"#, ["“Ab” of “a.png” is not valid", "2 to 32"]),
            (#"{"stickers": {"a.png": {"shortcode": "a/../b"}}}"#, ["“a/../b” of “a.png” is not valid"]),
            (#"{"stickers": {"a.png": {"shortcode": ""}}}"#, ["of “a.png” is not valid"]),
            (
                #"{"stickers": {"b": {"shortcode": "cat"}, "a": {"shortcode": "cat"}}}"#,
                ["“a” and “b” have the same shortcode “cat”"]
            ),
            (#"{"stickers": {"a.png": {"sets": {"line": 0}}}}"#, ["the sets of “a.png”", "from 1 to"]),
            (#"{"stickers": {"a.png": {"sets": {"line": 1000001}}}}"#, ["the sets of “a.png”"]),
            (#"{"stickers": {"a.png": {"sets": {"line": 1.5}}}}"#, ["the sets of “a.png”"]),
            (#"{"stickers": {"a.png": {"sets": {"line": 99999999999999999999}}}}"#, ["the sets of “a.png”"]),
            (#"{"stickers": {"a.png": {"shortcode": 5}}}"#, ["“a.png”", "“shortcode” has a value of the wrong kind"]),
            (
                #"{"stickers": {"a.png": {"shortcod": "ab"}}}"#,
                ["“a.png”, “shortcod” is not one of: numbers, sets, shortcode"]
            ),
            (#"{"stickers": {"a.png": 7}}"#, ["“a.png” has a value of the wrong kind"]),
            ("{\"stickers\": {\"a.png\": {},\n\"a.png\": {}}}", ["“a.png” is there twice, again in line 2"]),
            (#"{"stickers": {"\u00e9": {}, "e\u0301": {}}}"#, ["is there twice"]),
            (#"{"stickers": {"a\u0007": {"shortcode": "A"}}}"#, ["“a\u{FFFD}”"]),
            (#"{"stickers": {"": {}}}"#, ["is not a file's name"]),
            (#"{"sticker": {}}"#, ["is not one of: stickers"]), (#"{}"#, ["lacks “stickers”"]),
            (#"{"stickers": []}"#, ["wrong kind"]), ("[]", ["wrong kind"]), ("", ["JSON"]),
            ("{\n\"stickers\": {,}}", ["JSON", "line 2"]), ("\u{FEFF}x", ["JSON"]),
            (String(repeating: "[", count: 600), ["names.json"]),
        ])
    func errors(json: String, parts: [String]) {
        let reason = reason(json)
        #expect(reason.hasPrefix("names.json: ") && reason.hasSuffix("."), "\(reason)")
        for part in parts { #expect(reason.contains(part), "\(reason)") }
        #expect(
            reason.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } && reason.utf8.count < 700)
    }

    @Test("Books over the limits are refused")
    func limits() {
        let space = [UInt8](repeating: UInt8(ascii: " "), count: NameBook.maxBytes + 1)
        #expect(throws: ExportRefusal.self) { try NameBook(json: space) }
        var book = NameBook()
        for number in 0..<NameBook.maxStickers { book.stickers["\(number)"] = .init() }
        #expect(throws: ExportRefusal.self) { try Shortcode.listed(.sample(1), &book) }
    }

    @Test("Random bytes and cut files are refused or read, but nothing else happens")
    func fuzz() throws {
        var book = NameBook()
        _ = try Shortcode.listed(.sample(5), &book)
        let json = book.json
        for place in json.indices {
            #expect(throws: ExportRefusal.self) { try NameBook(json: Array(json[..<place].dropLast())) }
            var changed = json
            changed[place] ^= 0x15
            guard let read = try? NameBook(json: changed) else { continue }
            #expect(read.stickers.values.compactMap(\.shortcode).allSatisfy(Shortcode.isValid))
        }
    }
}
