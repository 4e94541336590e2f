/// One emoji: one picture on the screen, of one or more scalars. It always has the form that Unicode
/// recommends for interchange ("fully qualified" in UTS #51), which messengers expect.
package struct Emoji: Hashable, Sendable {
    /// The most scalars of one emoji: a kiss of two people with different skin tones has this many.
    package static let maxScalars = 10
    /// The most emoji of a sticker; further ones are left out. Telegram takes 20, other messengers fewer.
    package static let maxListed = 20
    private static let joiner: Unicode.Scalar = "\u{200D}"

    package let text: String

    /// nil unless `text` is exactly one emoji, in any form. Characters such as © and ❤ are text unless U+FE0F follows.
    package init?(_ text: String) {
        guard let character = text.first, text.index(after: text.startIndex) == text.endIndex else { return nil }
        let shown = Self.shown(for: character)
        guard let emoji = shown.first, shown.count == 1 else { return nil }
        self = emoji
    }

    /// An emoji as people type it: many programs leave out the U+FE0F that characters such as ❤ need.
    package init?(typed text: String) {
        guard let emoji = Emoji(text) ?? Emoji(text + "\u{FE0F}") else { return nil }
        self = emoji
    }

    private init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        text = String(view)
    }

    /// The emoji that a screen shows for a character; none if it is text. There are several if the character is longer
    /// than any emoji: screens then show the parts one by one.
    static func shown(for character: Character) -> [Emoji] {
        guard !character.isASCII else { return [] }
        let scalars = Array(character.unicodeScalars)
        if let whole = keycap(scalars) ?? flag(scalars) { return [Emoji(whole)] }
        let parts = scalars.split(separator: joiner).map { EmojiPart($0) }
        guard parts.count > 1 else { return parts.compactMap { $0?.alone }.map { Emoji($0) } }
        let whole = Array(parts.compactMap { $0?.scalars }.joined(separator: [joiner]))
        if parts.allSatisfy({ $0 != nil }), whole.count <= maxScalars { return [Emoji(whole)] }
        return parts.compactMap { $0?.alone }.map { Emoji($0) }
    }

    /// A key: a digit, `#` or `*` in a box.
    private static func keycap(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        guard let key = scalars.first, key.isASCII, key.properties.isEmoji,
            scalars.dropFirst().drop(while: { $0 == EmojiPart.emojiStyle }).first == "\u{20E3}"
        else { return nil }
        return [key, EmojiPart.emojiStyle, "\u{20E3}"]
    }

    /// A country's flag: two regional indicators.
    private static func flag(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        let letters = scalars.prefix(2).compactMap { scalar in
            regionalIndicators.contains(scalar) ? Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41) : nil
        }
        guard letters.count == 2,
            regions.contains(where: { $0.first == letters[0] && $0.dropFirst().contains(letters[1]) })
        else { return nil }
        return Array(scalars.prefix(2))
    }

    fileprivate static let regionalIndicators: ClosedRange<Unicode.Scalar> = "\u{1F1E6}"..."\u{1F1FF}"

    /// The regions with a flag in emoji-sequences.txt of Unicode 16, by their code's first letter: each group has that
    /// letter, then all second letters. Other pairs of regional indicators are shown as letters.
    private static let regions = [
        "ACDEFGILMOQRSTUWXZ", "BABDEFGHIJLMNOQRSTVWYZ", "CACDFGHIKLMNOPQRUVWXYZ", "DEGJKMOZ", "EACEGHRSTU",
        "FIJKMOR", "GABDEFGHILMNPQRSTUWY", "HKMNRTU", "ICDELMNOQRST", "JEMOP", "KEGHIMNPRWYZ", "LABCIKRSTUVY",
        "MACDEFGHKLMNOPQRSTUVWXYZ", "NACEFGILOPRUZ", "OM", "PAEFGHKLMNRSTWY", "QA", "REOSUW",
        "SABCDEGHIJKLMNORSTVXYZ", "TACDFGHJKLMNORTVWZ", "UAGMNSYZ", "VACEGINU", "WFS", "XK", "YET", "ZAMW",
    ].map { Array($0.unicodeScalars) }
}

/// The part of an emoji between two joiners; the whole emoji if it has none.
private struct EmojiPart {
    static let emojiStyle: Unicode.Scalar = "\u{FE0F}"
    private static let textStyle: Unicode.Scalar = "\u{FE0E}"
    /// Hair is shown only as part of a person.
    private static let hair: ClosedRange<Unicode.Scalar> = "\u{1F9B0}"..."\u{1F9B3}"
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    /// Tags may also hide text: only the flags in emoji-sequences.txt are kept.
    private static let subdivisions = ["gbeng", "gbsct", "gbwls"].map { name in
        (name.unicodeScalars.map(\.value) + [0x7F]).compactMap { Unicode.Scalar(0xE0000 + $0) }
    }

    /// In the recommended form.
    let scalars: [Unicode.Scalar]
    /// The same if the part is an emoji by itself; nil if it is text without the other parts.
    let alone: [Unicode.Scalar]?

    /// nil if it cannot be part of an emoji.
    init?(_ part: ArraySlice<Unicode.Scalar>) {
        guard let base = part.first, base.properties.isEmoji, !base.isASCII, !base.properties.isEmojiModifier,
            !Emoji.regionalIndicators.contains(base)
        else { return nil }
        let rest = part.dropFirst()
        let isText = rest.first == Self.textStyle || Self.hair.contains(base)
        if base.properties.isEmojiModifierBase, let tone = rest.first(where: \.properties.isEmojiModifier) {
            scalars = [base, tone]
            alone = scalars
        } else if base == Self.blackFlag, let tags = Self.subdivisions.first(where: { rest.elementsEqual($0) }) {
            scalars = [base] + tags
            alone = scalars
        } else if base.properties.isEmojiPresentation {
            scalars = [base]
            alone = isText ? nil : scalars
        } else {
            scalars = [base, Self.emojiStyle]
            alone = rest.contains(Self.emojiStyle) ? scalars : nil
        }
    }
}
