import FileNames

/// The emoji in the stem of a photo's file as people read it (`InboxPath.shown`), and the texts before, between and
/// after them.
struct StemParts {
    /// Without duplicates; at most `Emoji.maxListed`.
    let emoji: [Emoji]
    /// Where they adjoin emoji, spaces, separators and empty brackets are removed. No text is empty, but the list
    /// may be.
    let texts: [ArraySlice<Character>]

    init(_ stem: String) {
        // The fast path for most names.
        if stem.utf8.allSatisfy({ $0 < 0x80 }) {
            (emoji, texts) = ([], [Array(stem)[...]])
            return
        }
        var emoji: [Emoji] = []
        var texts: [[Character]] = []
        var text: [Character] = []
        for character in stem {
            let shown = Emoji.shown(for: character)
            for one in shown where emoji.count < Emoji.maxListed && !emoji.contains(one) { emoji.append(one) }
            if !shown.isEmpty {
                texts.append(text)
                text = []
            } else {
                // Tags after anything but a known flag show nothing.
                text += Array(
                    String(String.UnicodeScalarView(character.unicodeScalars.filter { !InboxPath.tags.contains($0) })))
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
}
