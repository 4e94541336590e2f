import FileNames

/// Escapes untrusted text for one line of a log: it cannot end the line, move the cursor or change the text direction.
package enum PlainText {
    /// Escapes every control, format, separator, private and unassigned character as `\xNN` per UTF-8 byte, and cuts a
    /// longer result to `limit` bytes, including a final `…`. Escaped text stays unchanged.
    package static func escaped(_ text: String, limit: Int) -> String {
        var result = ""
        var lengthWithinLimit = 0
        for scalar in text.unicodeScalars {
            if scalar.isHarmless {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 { result += byte.escaped }
            }
            if result.utf8.count <= limit - ellipsis.utf8.count { lengthWithinLimit = result.utf8.count }
            if result.utf8.count > limit {
                return String(decoding: result.utf8.prefix(lengthWithinLimit), as: UTF8.self) + ellipsis
            }
        }
        return result
    }

    private static let ellipsis = "…"
}
