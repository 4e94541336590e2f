import PackFacts

/// Texts as messengers take them: one line, cut to a limit. Lengths are in UTF-16 code units: that is what WhatsApp
/// counts (Java's `String.length()`), and never less than what counts characters or code points gives.
enum ExportText {
    /// Without line breaks and control characters, without the marks that turn the direction of what follows the text,
    /// and with single spaces.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: if !turnsDirection(scalar) { scalars.append(scalar) }
            }
        }
        return String(scalars).split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Embeddings, overrides and isolates of the bidirectional algorithm (Unicode Standard Annex 9, section 2). The
    /// marks of single places, such as U+200F, stay: they are part of how words are spelled.
    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// Cleaned and cut to `limit`, between characters as people see them; within one only if the first is too long.
    static func cut(_ text: String, to limit: Int) -> String {
        let text = cleaned(text)
        guard text.utf16.count > limit else { return text }
        var length = 0
        let whole = text.prefix { character in
            length += character.utf16.count
            return length <= limit
        }
        guard whole.isEmpty else { return cleaned(String(whole)) }
        length = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            length += UTF16.width(scalar)
            return length <= limit
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The title of a pack's set: the pack's name for the first, "Cats 2" for the second. Never empty.
    static func title(of pack: Pack, set number: Int, limit: Int) -> String {
        let suffix = number > 1 ? " \(number)" : ""
        let name = cut(pack.name, to: limit - suffix.utf16.count)
        return (name.isEmpty ? "Stickers" : name) + suffix
    }

    /// What a screen reader says for a sticker: its words, or its name.
    static func label(of sticker: PackEntry, limit: Int) -> String {
        let text = cut(sticker.text, to: limit)
        return text.isEmpty ? cut(sticker.name, to: limit) : text
    }
}
