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
        self.init(value: value)
    }

    /// - Parameter value: `0xrrggbb`.
    init(value: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }
}

extension HexColor: Comparable {
    /// The lexicographic order of the texts.
    package static func < (first: Self, second: Self) -> Bool {
        (first.red, first.green, first.blue) < (second.red, second.green, second.blue)
    }
}

extension HexColor: CustomStringConvertible {
    /// In lowercase.
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

extension HexColor {
    /// Whether all channels are exactly equal.
    package var isGray: Bool { red == green && green == blue }

    /// The opposite color: OKLCH's hue + 180°, the same lightness, and as much of the chroma as sRGB can show. A gray
    /// is its own complement.
    package var complement: HexColor {
        if isGray { return self }
        let lab = OKLab(self).components
        // Rotating the hue by 180° negates both other axes.
        return OKLab(SIMD3(lab.x, -lab.y, -lab.z)).mostColorful
    }
}

/// A fixed number of lowercase hexadecimal digits. A pack's page has millions of them, and `String(_:radix:)` is slow.
enum HexDigits {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ value: some FixedWidthInteger, count: Int, to text: inout [UInt8]) {
        for place in (0..<count).reversed() { text.append(digits[Int(truncatingIfNeeded: value >> (4 * place)) & 15]) }
    }
}
