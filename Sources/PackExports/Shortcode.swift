import PackFacts
import Foundation

/// Names for typing, such as `waving_cat`: `[a-z0-9_]`, unique in a pack. Servers accept them as names of emoji, and
/// every file system as names of files.
package enum Shortcode {
    /// Mastodon's `MINIMUM_SHORTCODE_SIZE` (app/models/custom_emoji.rb), and Discord's shortest.
    package static let minLength = 2
    /// Discord's longest (`EmojiLimits.MaximumEmojiNameLength` of @sapphire/discord-utilities; Discord's documentation
    /// has none), and the lowest limit of all. The others: Mattermost 64 (`EmojiNameMaxLength` in model/emoji.go),
    /// Matrix 100 (Client-Server API 1.19, "Shortcode grammar"), Mastodon 128 (`MAX_SHORTCODE_SIZE` in
    /// app/models/custom_emoji.rb), Misskey 128 (packages/backend/src/models/Emoji.ts).
    package static let maxLength = 32
    /// What is left of a text is cut to `maxLength` anyway.
    private static let maxScalars = 128
    /// `_` and the digits of `NameBook.maxStickers`.
    private static let maxSuffix = 7
    /// Of stickers whose texts have no letter or digit.
    private static let fallback = "sticker"
    /// As in ICU's User Guide, "General Transforms".
    private static let transliteration = StringTransform("Any-Latin; Latin-ASCII")

    package static func isValid(_ text: String) -> Bool {
        (minLength...maxLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == underscore }
    }

    /// The shortcodes of a pack's stickers, by their files. Those in the book stay as they are, and new ones are added
    /// to it. None is one of another sticker of the book, even if that one is no longer in the pack.
    ///
    /// The cost is linear in the numbers of stickers of pack and book.
    /// - Throws: if two stickers share an entry of the book, or the book becomes too large.
    static func assign(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> [String: String] {
        var taken = Set(book.stickers.values.compactMap(\.shortcode))
        var numbers: [String: Int] = [:]
        var shortcodes: [String: String] = [:]
        for sticker in pack.stickers {
            guard shortcodes[sticker.file] == nil else { throw .sameFile(sticker.file) }
            if let known = book.stickers[sticker.file]?.shortcode {
                shortcodes[sticker.file] = known
                continue
            }
            let shortcode = unused(from(sticker), taken, &numbers)
            taken.insert(shortcode)
            book.stickers[sticker.file, default: NameBook.Entry()].shortcode = shortcode
            shortcodes[sticker.file] = shortcode
        }
        guard book.stickers.count <= NameBook.maxStickers else { throw .fullBook }
        return shortcodes
    }

    /// - Parameter numbers: by name, the last number tried in this pass: each is tried once.
    private static func unused(_ name: String, _ taken: Set<String>, _ numbers: inout [String: Int]) -> String {
        guard taken.contains(name) else { return name }
        let start = cut(name, to: maxLength - maxSuffix)
        var number = numbers[start] ?? 1
        repeat { number += 1 } while taken.contains("\(start)_\(number)")
        numbers[start] = number
        return "\(start)_\(number)"
    }

    /// A valid one from the sticker's text or, if that is not enough, its first emoji or its file's name.
    static func from(_ sticker: PackEntry) -> String {
        // The name that Unicode gives to an emoji: "CAT FACE".
        let emoji = sticker.emoji.first?.unicodeScalars.first?.properties.name ?? ""
        for text in [sticker.text, emoji, sticker.stem] {
            let name = cut(words(of: text), to: maxLength)
            if name.utf8.count >= minLength { return name }
        }
        return fallback
    }

    /// The words of a text of any script in ASCII, joined by underscores; may be empty.
    static func words(of text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxScalars)))
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            text = text.applyingTransform(transliteration, reverse: false) ?? text
        }
        var words: [UInt8] = []
        var isNew = false
        for scalar in text.lowercased().unicodeScalars {
            if scalar.isASCII, isLetterOrDigit(UInt8(truncatingIfNeeded: scalar.value)) {
                if isNew, !words.isEmpty { words.append(underscore) }
                isNew = false
                words.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if !isSilent(scalar) {
                isNew = true
            }
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// Marks that stand inside words, such as apostrophes ("don't", "kon'nichiha") and ayin.
    private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "'" || scalar == "’" { return true }
        switch scalar.properties.generalCategory {
        case .modifierLetter, .nonspacingMark, .enclosingMark, .format: return true
        default: return false
        }
    }

    /// The start of a name. Cut between words if that keeps at least half of `length`.
    static func cut(_ name: String, to length: Int) -> String {
        let units = Array(name.utf8)
        guard units.count > length else { return name }
        // A name may end exactly at its limit.
        guard let end = units[...length].lastIndex(of: underscore), end >= length / 2 else {
            return String(decoding: units[..<length], as: UTF8.self)
        }
        return String(decoding: units[..<end], as: UTF8.self)
    }

    private static let underscore = UInt8(ascii: "_")

    private static func isLetterOrDigit(_ unit: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(unit) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit)
    }
}

extension ExportRefusal {
    fileprivate static func sameFile(_ file: String) -> ExportRefusal {
        ExportRefusal("Two stickers have the same file name “\(file)”: rename one of their photos.")
    }

    fileprivate static let fullBook = ExportRefusal(
        "\(NameBook.fileName) has more than \(NameBook.maxStickers) stickers: remove those that the pack no longer has."
    )
}
