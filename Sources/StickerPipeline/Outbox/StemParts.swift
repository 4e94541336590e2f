import PhotoLibrary

/// The emoji in the escaped stem of a photo's file, and the texts before, between and after them.
struct StemParts {
    /// Without duplicates; at most `Emoji.maxListed`.
    let emoji: [Emoji]
    /// Where they adjoin emoji, spaces, separators and empty brackets are removed. No text is empty, but the list
    /// may be.
    let texts: [ArraySlice<Character>]

    init(_ stem: String) {
        // The fast path for most names.
        if stem.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) {
            (emoji, texts) = ([], [Array(stem)[...]])
            return
        }
        var emoji: [Emoji] = []
        var texts: [[Character]] = []
        var text: [Character] = []
        for character in Self.unescapingTags(stem) {
            let shown = Emoji.shown(for: character)
            for one in shown where emoji.count < Emoji.maxListed && !emoji.contains(one) { emoji.append(one) }
            if !shown.isEmpty {
                texts.append(text)
                text = []
            } else if character.unicodeScalars.contains(where: Self.tags.contains) {
                text += Array(InboxPath(bytes: Array(character.utf8)).description)
            } else {
                text.append(character)
            }
        }
        self.emoji = emoji
        self.texts = Self.trimmed(texts + [text])
    }

    private static func trimmed(_ texts: [[Character]]) -> [ArraySlice<Character>] {
        var trimmed: [ArraySlice<Character>] = []
        for (place, text) in texts.enumerated() {
            var rest = place > 0 ? text.drop(while: isFiller) : text[...]
            if place < texts.count - 1 { trimEnd(&rest) }
            // In `(🐱🐶)`, the brackets surround both emoji.
            guard !rest.isEmpty else { continue }
            if var last = trimmed.popLast() {
                while let opening = last.last, let closing = rest.first, brackets[opening] == closing {
                    last = last.dropLast()
                    trimEnd(&last)
                    rest = rest.dropFirst().drop(while: isFiller)
                }
                if !last.isEmpty { trimmed.append(last) }
            }
            if !rest.isEmpty { trimmed.append(rest) }
        }
        return trimmed
    }

    private static func trimEnd(_ text: inout ArraySlice<Character>) {
        while let last = text.last, isFiller(last) { text = text.dropLast() }
    }

    private static func isFiller(_ character: Character) -> Bool { character.isWhitespace || "-_".contains(character) }

    private static let brackets: [Character: Character] = ["(": ")", "[": "]", "{": "}"]

    /// Invisible characters that turn a black flag into another one.
    private static let tags: ClosedRange<Unicode.Scalar> = "\u{E0020}"..."\u{E007F}"

    /// The stem with the tags that `InboxPath` has escaped: some flags have them, and after other emoji no screen shows
    /// them.
    private static func unescapingTags(_ stem: String) -> String {
        guard stem.contains("\\xf3\\xa0") else { return stem }
        return stem.replacing(#/\\xf3\\xa0\\x8[01]\\x[89ab][0-9a-f]/#) { match in
            guard let bytes = InboxPath(escaped: String(match.0))?.bytes,
                let tag = String(validating: bytes, as: UTF8.self), tag.unicodeScalars.allSatisfy(tags.contains)
            else { return String(match.0) }
            return tag
        }
    }
}
