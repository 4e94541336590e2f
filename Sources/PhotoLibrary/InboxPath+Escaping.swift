extension InboxPath: CustomStringConvertible {
    /// The path with every byte that is not part of harmless UTF-8 written as `\xNN`: invalid sequences, control
    /// characters, line separators, characters that turn the writing direction, and the backslash itself.
    package var description: String {
        var result = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = Self.sequenceLength(first)
            let candidate = rest.prefix(length)
            if let text = String(validating: candidate, as: UTF8.self), let scalar = text.unicodeScalars.first,
                text.unicodeScalars.count == 1, Self.isHarmless(scalar)
            {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                result += Self.escape(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The inverse of `description`; nil where a backslash is not followed by `x` and two hexadecimal digits.
    package init?(escaped: String) {
        var bytes: [UInt8] = []
        var rest = Array(escaped.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2,
                // A sign is no digit.
                rest.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        self.init(bytes: bytes)
    }

    private static func escape(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func sequenceLength(_ first: UInt8) -> Int {
        switch first {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            // Joiners shape ordinary words and family emoji; they move nothing around.
            scalar == "\u{200C}" || scalar == "\u{200D}"
        default: scalar != "\\"
        }
    }
}
