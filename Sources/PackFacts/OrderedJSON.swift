import PhotoColors

/// A JSON value whose keys stay in the order in which they are given, so that the same values are the same bytes.
package enum OrderedJSON: Sendable {
    case null
    case bool(Bool)
    case number(Int)
    /// 0…1, with at most four decimals; 0 for NaN.
    case fraction(Double)
    case string(String)
    case array([OrderedJSON])
    /// An array whose elements have a line each, in every style.
    case lines([OrderedJSON])
    case object([(key: String, value: OrderedJSON)])
    /// What `bytes` returned before, in the compact style.
    case encoded([UInt8])

    package enum Style: Sendable {
        /// Without spaces, and safe inside an HTML `<script>`: no string can produce a tag, a comment or a character
        /// reference.
        case compact
        /// For people, with a newline at the end: this many levels of arrays and objects have a line for each member,
        /// and deeper ones are on one line. Escapes what RFC 8259, section 7 demands, and nothing else.
        case readable(levels: Int = .max)
    }

    package static func strings(_ values: [String]) -> OrderedJSON { .array(values.map { .string($0) }) }

    /// In UTF-8.
    package func bytes(_ style: Style = .compact) -> [UInt8] {
        switch style {
        case .compact:
            var writer = JSONWriter(levels: nil)
            writer.write(self, level: 0)
            return writer.bytes
        case .readable(let levels):
            var writer = JSONWriter(levels: levels)
            writer.write(self, level: 0)
            return writer.bytes + [UInt8(ascii: "\n")]
        }
    }
}

extension OrderedJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// Leaves out members that are nil.
    package init(dictionaryLiteral members: (String, OrderedJSON?)...) {
        self = .object(members.compactMap { key, value in value.map { (key, $0) } })
    }

    package init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

private struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// nil for the compact style.
    private let levels: Int?

    init(levels: Int?) { self.levels = levels }

    mutating func write(_ value: OrderedJSON, level: Int) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += String(value).utf8
        case .fraction(let value): write(value)
        case .string(let text): write(text)
        case .encoded(let value): bytes += value
        case .array(let values):
            enclose("[", values, "]", level) { $0.write($1, level: level + 1) }
        case .lines(let values):
            enclose("[", values, "]", level, hasLines: true) { $0.write($1, level: level + 1) }
        case .object(let members):
            enclose("{", members, "}", level) { writer, member in
                writer.write(member.key)
                writer.bytes += (writer.levels == nil ? ":" : ": ").utf8
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func enclose<Member>(
        _ opening: String, _ members: [Member], _ closing: String, _ level: Int, hasLines: Bool = false,
        _ write: (inout JSONWriter, Member) -> Void
    ) {
        let isIndented = level < levels ?? 0 && !members.isEmpty
        bytes += opening.utf8
        for (index, member) in members.enumerated() {
            if index > 0 { bytes += (levels == nil || isIndented ? "," : ", ").utf8 }
            if isIndented { indent(level + 1) } else if hasLines { bytes.append(UInt8(ascii: "\n")) }
            write(&self, member)
        }
        if isIndented { indent(level) }
        bytes += closing.utf8
    }

    private mutating func indent(_ level: Int) {
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    private mutating func write(_ value: Double) {
        // The number may come from another program's file: conversion must not trap.
        var digits = (value.isNaN ? 0 : min(max(value, 0), 1)).decimals(4)
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        bytes += digits.utf8
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // Most strings have nothing special, and are copied at once.
        if text.utf8.contains(where: isSpecial) {
            for unit in text.utf8 { isSpecial(unit) ? escape(unit) : bytes.append(unit) }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte is escaped or, in the compact style, may end a line separator (e2 80 a8, e2 80 a9).
    private func isSpecial(_ unit: UInt8) -> Bool {
        switch unit {
        case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        case 0x7f, 0xa8, 0xa9, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): levels == nil
        default: false
        }
    }

    private mutating func escape(_ unit: UInt8) {
        if unit >= 0x80 {
            // U+2028 and U+2029 end a line in older JavaScript.
            guard bytes.suffix(2).elementsEqual([0xe2, 0x80]) else { return bytes.append(unit) }
            bytes.removeLast(2)
            bytes += (unit == 0xa8 ? "\\u2028" : "\\u2029").utf8
        } else if levels != nil, unit >= 0x20 {
            bytes += [UInt8(ascii: "\\"), unit]
        } else {
            bytes += (unit < 0x10 ? "\\u000" : "\\u00").utf8
            bytes += String(unit, radix: 16).utf8
        }
    }
}
