extension InboxPath {
    /// The path as people read it, in names, texts and titles: without characters that show nothing, which chats and
    /// web pages put into names, such as U+200E, U+200B and U+00AD. Of them, only those stay that words and emoji need:
    /// joiners between two characters, variation selectors after an emoji, and the tags of a flag (Unicode Technical
    /// Standard 51).
    ///
    /// Any bytes give text of one line; those that are not UTF-8 become U+FFFD. It is not escaped, and may be empty.
    package var shown: String {
        var text = String.UnicodeScalarView()
        var joiner: Unicode.Scalar?
        var isInFlag = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if Self.joiners.contains(scalar) {
                joiner = text.last.map(\.properties.isWhitespace) == false ? scalar : nil
                continue
            }
            if Self.tags.contains(scalar) {
                if isInFlag { text.append(scalar) }
                continue
            }
            guard let visible = Self.visible(scalar, after: text.last) else { continue }
            isInFlag = visible == Self.blackFlag
            if let joiner, !visible.properties.isWhitespace { text.append(joiner) }
            joiner = nil
            text.append(visible)
        }
        return String(text)
    }

    /// The same for text from `description`, or for any other text.
    package static func shown(escaped text: String) -> String {
        (InboxPath(escaped: text) ?? InboxPath(bytes: Array(text.utf8))).shown
    }

    /// Zero width joiner and non-joiner.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
    private static let variationSelectors: Set<Unicode.Scalar> = ["\u{FE0E}", "\u{FE0F}"]
    /// Invisible characters that turn a black flag into another one.
    package static let tags: ClosedRange<Unicode.Scalar> = "\u{E0020}"..."\u{E007F}"
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"

    /// nil if it shows nothing; a space for what breaks lines.
    private static func visible(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Unicode.Scalar? {
        if variationSelectors.contains(scalar) { return last?.properties.isEmoji == true ? scalar : nil }
        switch scalar.properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return " "
        case .control: return scalar.properties.isWhitespace ? " " : nil
        case .format, .privateUse, .surrogate: return nil
        default:
            let isNothing = scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
            return isNothing ? nil : scalar
        }
    }
}
