/// Text from outside, made fit for one line of a log: nothing in it can end the line, move the cursor or turn the
/// writing direction.
package enum PlainText {
    /// `text` with every control, format, separator, private and unassigned character written as the `\xNN` of its
    /// UTF-8 bytes, cut to at most `limit` bytes, a closing `…` included, where it is longer. What has been through
    /// here once comes back unchanged.
    package static func escaped(_ text: String, limit: Int) -> String {
        var result = ""
        var lengthWithinLimit = 0
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 { result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            }
            if result.utf8.count <= limit - ellipsis.utf8.count { lengthWithinLimit = result.utf8.count }
            if result.utf8.count > limit {
                return String(decoding: result.utf8.prefix(lengthWithinLimit), as: UTF8.self) + ellipsis
            }
        }
        return result
    }

    private static let ellipsis = "…"

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            // Joiners shape ordinary words and family emoji; they move nothing around.
            scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
