/// How many columns of a terminal text takes, at most.
package enum DisplayWidth {
    /// The columns of escaped text. An upper bound: terminals differ in how they draw emoji of several characters.
    package static func of(_ text: String) -> Int {
        var width = 0
        var last = 0
        for scalar in text.unicodeScalars {
            // The variation selector draws the character before it as an emoji.
            let next = scalar == "\u{FE0F}" ? max(0, 2 - last) : columns(scalar)
            width += next
            last = next
        }
        return width
    }

    /// Text of at most `columns`: the beginning and the end of longer text, which has a file's extension, around `…`.
    package static func cut(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 1 else { return columns == 1 ? ellipsis : "" }
        let endColumns = (columns - 1) / 3
        let end = String(prefix(of: text.reversed(), columns: endColumns).reversed())
        return prefix(of: Array(text), columns: columns - 1 - of(end)) + ellipsis + end
    }

    private static let ellipsis = "…"

    private static func prefix(of characters: [Character], columns: Int) -> String {
        var width = 0
        return String(
            characters.prefix { character in
                width += of(String(character))
                return width <= columns
            })
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: isWide(scalar) ? 2 : 1
        }
    }

    /// East Asian wide and full-width characters (Unicode's UAX #11), and emoji.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    }

    // Those of Unicode 16 too, in which hexagrams and the like became wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F1E6...0x1F1FF, 0x1F200...0x1F2FF,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
