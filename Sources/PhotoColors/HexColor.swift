/// An opaque sRGB color, written as `#rrggbb`. Encoded as that string.
package struct HexColor: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Nil unless `text` is a number sign and six hexadecimal digits of either case.
    package init?(_ text: some StringProtocol) {
        let digits = text.dropFirst()
        guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }
}

extension HexColor: Comparable {
    /// The order of the texts.
    package static func < (first: Self, second: Self) -> Bool {
        (first.red, first.green, first.blue) < (second.red, second.green, second.blue)
    }
}

extension HexColor: CustomStringConvertible {
    /// In lower case.
    package var description: String {
        var text = [UInt8(ascii: "#")]
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The six digits.
    func append(to text: inout [UInt8]) {
        for channel in [red, green, blue] { HexDigits.append(channel, count: 2, to: &text) }
    }
}

extension HexColor: Codable {
    /// - Throws: `DecodingError` unless it is a string that `init(_:)` accepts.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let color = HexColor(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not #rrggbb")
        }
        self = color
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
