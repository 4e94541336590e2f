import FileNames
import PhotoFacts
import PhotoLibrary
import Testing

@testable import Packs

@Suite("Emoji and words of stickers", .timeLimit(.minutes(1)))
struct StickerWordsTests {
    private static let photo = String(repeating: "5e", count: 32)

    /// The words of a sticker whose photo's file has this name.
    private func words(_ name: [UInt8]) -> StickerWords {
        words(stem: InboxPath(bytes: name).stem, file: "x-5e5e5e5e.png")
    }

    private func words(stem: String?, file: String) -> StickerWords {
        StickerWords(
            of: StickerRecord(
                StickerFacts(width: 1, height: 1, confidence: 1), pack: "", photo: Self.photo, file: file, stem: stem,
                bytes: 1, sha256: "", recipe: "r"))
    }

    @Test(
        "Emoji are removed from the name; underscores and hyphens separate words if no space does, dates stay together",
        arguments: [
            ("hello 🐱.jpg", "hello", ["🐱"]), ("Waving 👋🏽 Anna.heic", "Waving Anna", ["👋🏽"]),
            ("👨‍👩‍👧‍👦 at the lake 🇫🇮.jpg", "at the lake", ["👨‍👩‍👧‍👦", "🇫🇮"]), ("cat🐱dog🐶.png", "cat dog", ["🐱", "🐶"]),
            ("🐱_red_car.png", "red car", ["🐱"]), ("red-car-🐱-blue-car.png", "red car blue car", ["🐱"]),
            ("T-shirt 🐱 and jeans.jpg", "T-shirt and jeans", ["🐱"]), ("hello (🐱) [🐶].jpg", "hello", ["🐱", "🐶"]),
            ("hello - 🐱 - you.jpg", "hello you", ["🐱"]), ("🐱.jpg", "🐱", ["🐱"]), ("🐱 🐱🐱 🐶.jpg", "🐱🐶", ["🐱", "🐶"]),
            ("1️⃣ cat.jpg", "cat", ["1️⃣"]), ("1 cat © 2024 ™.jpg", "1 cat © 2024 ™", []), ("no emoji.jpg", "no emoji", []),
            ("2024-05-01_beach.jpg", "2024-05-01 beach", []), ("T-shirt and jeans.jpg", "T-shirt and jeans", []),
            ("  two   spaces .jpg", "two spaces", []), ("-_-.jpg", "-_-", []), (".jpg", ".jpg", []),
            ("a.b.c.png", "a.b.c", []), ("two\nlines.png", "two lines", []), ("red-car (2).jpg", "red car (2)", []),
            ("red-car 2.jpg", "red-car 2", []), ("red-car (last).jpg", "red-car (last)", []),
            (String(repeating: "é", count: 90) + ".png", String(repeating: "é", count: 60), []),
            ("🏴󠁧󠁢󠁳󠁣󠁴󠁿 Skye.jpg", "Skye", ["🏴󠁧󠁢󠁳󠁣󠁴󠁿"]), ("I ❤️ NY.jpg", "I NY", ["❤️"]), ("I ❤ NY.jpg", "I ❤ NY", []),
        ])
    func emoji(file: String, name: String, emoji: [String]) {
        let words = words(Array(file.utf8))
        #expect(words.name == name)
        #expect(words.emoji.map(\.text) == emoji)
    }

    @Test(
        "The text has neither counters nor a camera's prefix, and may be empty",
        arguments: [
            ("hello 🐱.jpg", "hello"), ("cat_0012.jpg", "cat"), ("0012_cat.jpg", "cat"), ("cat (2).jpg", "cat"),
            ("cat(2).jpg", "cat"), ("red-car_007 (13).jpg", "red car"), ("IMG-cat.jpg", "cat"),
            ("img_0012 cat.jpg", "cat"),
            ("IMG_0012.jpg", ""), ("IMG-20240501-WA0003.jpg", ""), ("DSC01234.jpg", ""), ("_DSC1234.jpg", ""),
            ("PXL_20240501_101112123.MP.jpg", ""), ("MVIMG_20240501_101112.jpg", ""), ("20240501_101112.jpg", ""),
            ("P1010012.jpg", ""), ("IMG_E0012 🐱.jpg", ""), ("🐱.jpg", ""), ("0012.jpg", ""), ("(2).jpg", ""),
            ("Paris (2019).jpg", "Paris (2019)"), ("Route 66.jpg", "Route 66"),
            ("2024-05-01_beach.jpg", "2024-05-01 beach"),
            ("Apple-iPhone-5.jpg", "Apple iPhone 5"), ("Imgard.jpg", "Imgard"), ("Psalm 23.jpg", "Psalm 23"),
            ("Samsung SM-G935L (Galaxy S7 Edge).jpg", "Samsung SM-G935L (Galaxy S7 Edge)"), ("Grüße.png", "Grüße"),
            ("ねこ_0001.png", "ねこ"), ("IMG.jpg", ""), ("cat (2) 🐱 (3).jpg", "cat"),
        ])
    func text(file: String, text: String) {
        #expect(words(Array(file.utf8)).text == text)
    }

    @Test(
        "A sticker that hides its photo's name has neither text nor emoji; one without a stem has those of its own file"
    )
    func hidden() {
        let hidden = words(stem: nil, file: "5e5e5e5e-2.png")
        #expect(hidden.text == "" && hidden.emoji == [] && hidden.name == "5e5e5e5e 2")
        #expect(words(stem: nil, file: "red-car-5e5e5e5e.png").text == "red car")
    }

    @Test("Bytes that are not text are replaced, and what shows nothing is left out, even next to emoji")
    func bytes() {
        let words = words(Array("caf".utf8) + [0xe9] + Array(" \u{202e}🐱\u{202c} \\ x.jpg".utf8))
        #expect(words.name == "caf\u{FFFD} \\ x")
        #expect(words.emoji.map(\.text) == ["🐱"])
    }

    @Test("Hostile names give short names and few emoji, fast")
    func hostile() {
        let zalgo = "🐱" + String(repeating: "\u{0308}", count: 10_000)
        let tags =
            "🏴"
            + String(String.UnicodeScalarView((0..<10_000).compactMap { Unicode.Scalar(0xe0061 + UInt32($0) % 26) }))
        let names = [
            String(repeating: "🐱", count: 10_000), Array(repeating: "🐱", count: 10_000).joined(separator: "\u{200d}"),
            String(repeating: "🐱\u{200d}", count: 10_000), String(repeating: "\u{200d}", count: 10_000),
            String(repeating: "🏽", count: 10_000), String(repeating: "🇩", count: 9_999), zalgo, tags,
            String(repeating: "🏴\u{e0067}", count: 10_000), String(repeating: "(🐱)", count: 10_000),
            String(repeating: "\u{fe0f}\u{20e3}", count: 10_000), String(repeating: "1️⃣", count: 10_000),
            (0x1f600...0x1f64f).compactMap(Unicode.Scalar.init).map(String.init).joined(),
            String(repeating: "(", count: 10_000) + "🐱" + String(repeating: ")", count: 10_000),
            String(repeating: "-", count: 10_000) + "🐱" + String(repeating: "_ ", count: 10_000),
            String(repeating: "0 ", count: 10_000), String(repeating: "IMG ", count: 10_000),
        ]
        for name in names {
            let words = words(Array(name.utf8))
            #expect(words.emoji.count <= Emoji.maxListed)
            #expect(words.emoji.allSatisfy { $0.text.unicodeScalars.count <= Emoji.maxScalars })
            #expect(words.text.utf8.count <= 120 && (words.name.utf8.count <= 120 || words.emoji.isEmpty))
        }
        #expect(words(Array(names[0].utf8)).emoji.map(\.text) == ["🐱"])
        #expect(words(Array(names[1].utf8)).emoji.map(\.text) == ["🐱"])
        #expect(words(Array(tags.utf8)).name == "🏴")
        #expect(words(Array((tags + " cat.jpg").utf8)).name == "cat")
        #expect(words(Array(names[12].utf8)).emoji.count == Emoji.maxListed)
    }
}
