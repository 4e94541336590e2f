/// Encoded as one string: per entry six hexadecimal digits of color and four of weight, in lower case, without
/// separators.
extension PhotoColorSample: LosslessStringConvertible {
    private static let digits = 10

    /// Nil unless `text` is exactly the `description` of a sample.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count.isMultiple(of: Self.digits), bytes.count <= Self.maxEntries * Self.digits else { return nil }
        var entries: [Entry] = []
        for start in stride(from: 0, to: bytes.count, by: Self.digits) {
            var value: UInt64 = 0
            for byte in bytes[start..<start + Self.digits] {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            let hex = HexColor(
                red: UInt8(truncatingIfNeeded: value >> 32), green: UInt8(truncatingIfNeeded: value >> 24),
                blue: UInt8(truncatingIfNeeded: value >> 16))
            entries.append(Entry(hex: hex, weight: Int(value & 0xffff)))
        }
        self.init(entries: entries)
    }

    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(entries.count * Self.digits)
        for entry in entries {
            entry.hex.append(to: &text)
            HexDigits.append(entry.weight, count: 4, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension PhotoColorSample: Codable {
    /// - Throws: `DecodingError` unless it is a string that `init(_:)` accepts.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let sample = PhotoColorSample(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a color sample")
        }
        self = sample
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
