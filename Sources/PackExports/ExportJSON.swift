/// JSON with its members in the order in which they are given, laid out as Xcode does: the same input has the same
/// bytes.
indirect enum ExportJSON {
    case object([(key: String, value: ExportJSON)])
    case array([ExportJSON])
    case string(String)
    case number(Int)
    case bool(Bool)

    /// With a line feed at the end.
    var bytes: [UInt8] {
        var text = ""
        write(to: &text, indent: "")
        return Array((text + "\n").utf8)
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .object(let members):
            Self.list(members, "{", "}", to: &text, indent: indent) { member, text, indent in
                Self.quote(member.key, to: &text)
                text += " : "
                member.value.write(to: &text, indent: indent)
            }
        case .array(let elements):
            Self.list(elements, "[", "]", to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
        case .string(let value): Self.quote(value, to: &text)
        case .number(let value): text += String(value)
        case .bool(let value): text += value ? "true" : "false"
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, to text: inout String, indent: String,
        write: (Element, inout String, String) -> Void
    ) {
        guard !elements.isEmpty else { return text += opening + closing }
        let inner = indent + "  "
        text += opening
        for (index, element) in elements.enumerated() {
            text += index > 0 ? ",\n" : "\n"
            text += inner
            write(element, &text, inner)
        }
        text += "\n" + indent + closing
    }

    /// RFC 8259, section 7: escapes what must be escaped; slashes need not be.
    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text.unicodeScalars.append("\\")
                text.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension ExportJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    init(dictionaryLiteral members: (String, ExportJSON)...) {
        self = .object(members.map { (key: $0.0, value: $0.1) })
    }

    init(arrayLiteral elements: ExportJSON...) { self = .array(elements) }
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }

    static func strings(_ values: [String]) -> ExportJSON { .array(values.map { .string($0) }) }
}
