import Foundation
import Packs
import TestSupport
import Testing

@Suite("Emoji", .timeLimit(.minutes(Sanitizer.slowdown)))
struct EmojiTests {
    @Test(
        "An emoji is read whole, and gets its recommended form",
        arguments: [
            ("🐱", "🐱"), ("👋🏽", "👋🏽"), ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("🇩🇪", "🇩🇪"), ("1\u{fe0f}\u{20e3}", "1️⃣"),
            ("#\u{20e3}", "#️⃣"), ("©\u{fe0f}", "©️"), ("❤\u{fe0f}", "❤️"), ("☝\u{fe0f}🏽", "☝🏽"), ("🐱\u{fe0f}", "🐱"),
            ("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
            // Without variation selectors, as some programs write them.
            ("🕵\u{200d}♂", "🕵️‍♂️"), ("🏳\u{200d}🌈", "🏳️‍🌈"),
            // Parts that no screen shows are left out: unknown tags, a skin tone of a cat, a joiner at the end.
            ("🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}", "🏴"), ("🐱🏽", "🐱"), ("🐱\u{200d}", "🐱"),
            ("🐱\u{e0061}\u{e0062}", "🐱"),
        ])
    func one(text: String, form: String) {
        #expect(Emoji(text).map { Array($0.text.unicodeScalars) } == Array(form.unicodeScalars))
    }

    @Test(
        "Text and parts of emoji are no emoji",
        arguments: [
            "", "a", "1", "#", "*", "©", "™", "❤", "☺", "1\u{fe0f}", "❤\u{fe0e}", "🐱\u{fe0e}", "🏽", "🦰", "🇩", "🇽🇽", "🐱🐶",
            "🐱 ", "🐱a", "\u{200d}", "\u{fe0f}", "\u{20e3}", "\u{e0067}", "★",
        ])
    func none(text: String) {
        #expect(Emoji(text) == nil)
    }

    @Test("A typed emoji may lack its variation selector")
    func typed() {
        #expect(Emoji(typed: "❤")?.text.unicodeScalars.count == 2)
        #expect(Emoji(typed: "🐱")?.text == "🐱")
        for text in ["", "1", "a", "#", "❤❤", "🐱a", "\u{fe0f}"] { #expect(Emoji(typed: text) == nil) }
    }

    /// A line of emoji-test.txt, which lists each emoji's recommended form before its others.
    private struct Line {
        let text: String
        let status: Substring
        /// The emoji's recommended form.
        let form: String
    }

    private static let folder = URL(filePath: "/usr/share/unicode/emoji")

    private static func lines() throws -> [Line] {
        var lines: [Line] = []
        for line in try String(contentsOf: folder.appending(path: "emoji-test.txt"), encoding: .utf8).split(
            separator: "\n")
        {
            guard let match = line.wholeMatch(of: #/([0-9A-F ]+?) +; ([a-z-]+) +#.*/#) else { continue }
            let text = Self.text(match.1)
            lines.append(
                Line(text: text, status: match.2, form: match.2 == "fully-qualified" ? text : lines.last?.form ?? ""))
        }
        return lines
    }

    private static func text(_ codes: Substring) -> String {
        let scalars = codes.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test("Each emoji of Debian's unicode-data is recognized, and gets its recommended form")
    func recognized() throws {
        let lines = try Self.lines()
        #expect(lines.count { $0.status == "fully-qualified" } > 3600)
        let wrong = lines.filter { line in
            let scalars = Array(line.text.unicodeScalars)
            // A single character that is text unless a variation selector follows.
            let isText = line.status == "component" || line.status == "unqualified" && scalars.count == 1
            return Emoji(line.text).map { Array($0.text.unicodeScalars) }
                != (isText ? nil : Array(line.form.unicodeScalars))
        }
        #expect(wrong.map(\.text) == [])
    }

    @Test("No other character of its Unicode version, and no other pair of regional indicators, is an emoji")
    func others() throws {
        let known = Set(try Self.lines().filter { $0.status != "component" }.map { Array($0.text.unicodeScalars) })
        let forms = Set(try Self.lines().map { Array($0.form.unicodeScalars) })
        let header = try String(contentsOf: Self.folder.appending(path: "emoji-test.txt"), encoding: .utf8).prefix(1000)
        let version = try #require(header.firstMatch(of: #/# Version: (\d+)\.(\d+)/#))
        let number = try (#require(Int(version.1)), #require(Int(version.2)))
        var wrong: [String] = []
        for value: UInt32 in 0...0x10ffff {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, (age.major, age.minor) <= number
            else { continue }
            for scalars in [[scalar], [scalar, "\u{fe0f}"]] {
                let text = String(String.UnicodeScalarView(scalars))
                guard let emoji = Emoji(text) else { continue }
                if !forms.contains(Array(emoji.text.unicodeScalars)) { wrong.append(text) }
                if scalars.count == 1, !known.contains(scalars) { wrong.append(text) }
            }
        }
        #expect(wrong == [])
        let indicators = (0x1f1e6...0x1f1ff).compactMap(Unicode.Scalar.init)
        for first in indicators {
            for second in indicators where Emoji(String(String.UnicodeScalarView([first, second]))) != nil {
                // Sark's flag came with Unicode 16.
                let isNewer = number < (16, 0) && [first, second] == ["\u{1f1e8}", "\u{1f1f6}"]
                #expect(isNewer || forms.contains([first, second]))
            }
        }
    }

    @Test("Each variation sequence of Debian's unicode-data is an emoji in emoji style and text in text style")
    func variations() throws {
        let file = Self.folder.appending(path: "emoji-variation-sequences.txt")
        var count = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            guard let match = line.wholeMatch(of: #/([0-9A-F]+) (FE0[EF]) .*/#) else { continue }
            count += 1
            let text = Self.text(match.1 + " " + match.2)
            // Digits need U+20E3, too.
            #expect(
                (Emoji(text) != nil) == (match.2 == "FE0F" && text.unicodeScalars.first?.isASCII == false), "\(match.0)"
            )
        }
        #expect(count > 600)
    }
}
