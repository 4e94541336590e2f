/// A JSON value whose keys stay in the order in which they are given, so that the same values are the same bytes.
enum OrderedJSON {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([OrderedJSON])
    case object([(key: String, value: OrderedJSON)])

    static func strings(_ values: [String]) -> OrderedJSON { .array(values.map { .string($0) }) }

    /// UTF-8 with a newline at the end.
    ///
    /// - Parameter levels: how many levels of arrays and objects have a line for each member. Deeper ones are on one
    ///   line.
    func bytes(levels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, level: 0, levels: levels)
        bytes.append(Self.newline)
        return bytes
    }

    private static let newline = UInt8(ascii: "\n")

    private func write(to bytes: inout [UInt8], level: Int, levels: Int) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += String(value).utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            Self.enclose("[", values, "]", in: &bytes, level, levels) { value, bytes in
                value.write(to: &bytes, level: level + 1, levels: levels)
            }
        case .object(let members):
            Self.enclose("{", members, "}", in: &bytes, level, levels) { member, bytes in
                Self.write(member.key, to: &bytes)
                bytes += ": ".utf8
                member.value.write(to: &bytes, level: level + 1, levels: levels)
            }
        }
    }

    private static func enclose<Member>(
        _ opening: String, _ members: [Member], _ closing: String, in bytes: inout [UInt8], _ level: Int,
        _ levels: Int, _ write: (Member, inout [UInt8]) -> Void
    ) {
        let hasLines = level < levels && !members.isEmpty
        bytes += opening.utf8
        for (index, member) in members.enumerated() {
            if index > 0 { bytes += (hasLines ? "," : ", ").utf8 }
            if hasLines { startLine(level + 1, &bytes) }
            write(member, &bytes)
        }
        if hasLines { startLine(level, &bytes) }
        bytes += closing.utf8
    }

    private static func startLine(_ level: Int, _ bytes: inout [UInt8]) {
        bytes.append(newline)
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    /// Escapes what RFC 8259, section 7 demands, and nothing else.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        bytes.append(quote)
        for unit in text.utf8 {
            switch unit {
            case quote, backslash: bytes += [backslash, unit]
            case 0..<0x20:
                let digits = String(unit, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes.append(unit)
            }
        }
        bytes.append(quote)
    }
}
