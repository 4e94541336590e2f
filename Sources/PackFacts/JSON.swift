/// One JSON value as written: members keep their order, line and duplicates.
package enum JSONValue: Sendable, Equatable, CustomStringConvertible {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    /// One `"name": value` of an object.
    package struct Member: Sendable, Equatable {
        package let name: String
        /// Counted from 1.
        package let line: Int
        package let value: JSONValue
    }

    /// The payload of the case; nil for any other.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The first member with that name.
    package subscript(name: String) -> JSONValue? { members?.first { $0.name == name }?.value }

    /// Short and on one line; completes "must be …, not".
    package var description: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text.quoted
        case .list(let list):
            "[\(list.prefix(4).map(\.description).joined(separator: ", "))\(list.count > 4 ? ", …" : "")]"
        case .object: "an object"
        }
    }
}

extension String {
    /// Quoted for messages: cut to 100 characters, control characters escaped, for untrusted text.
    package var quoted: String { (count > 100 ? prefix(100) + "…" : self).debugDescription }
}

/// Strict parser for one JSON text (RFC 8259). It keeps what Foundation's decoder discards and error messages need: the
/// line of every key, and duplicate keys.
package struct JSONParser {
    /// Deeper nesting is an error, because the parser is recursive.
    package static let maximumDepth = 32

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    /// Parses one value surrounded by white space; UTF-8, perhaps after a byte-order mark, with which Windows' editors
    /// begin a file.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (parser.index, parser.lineStart) = (3, 3) }
        let value = try parser.value(depth: 0)
        guard parser.next == nil else { throw parser.failure("expected the end of the file") }
        return value
    }

    /// The first byte after white space; nil at the end.
    private var next: UInt8? {
        mutating get {
            while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
                if bytes[index] == 0x0A {
                    line += 1
                    lineStart = index + 1
                }
                index += 1
            }
            return peek
        }
    }

    /// The byte at the index itself, white space or not.
    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func failure(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(line: line, column: index - lineStart + 1, reason: reason)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nested deeper than \(Self.maximumDepth) levels") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        if take("}") { return .object(members) }
        repeat {
            guard next == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
            let keyLine = line
            let name = try string()
            guard take(":") else { throw failure("expected a colon after the key") }
            members.append(.init(name: name, line: keyLine, value: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw failure("expected a comma or a closing brace") }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        if take("]") { return .list(values) }
        repeat { values.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw failure("expected a comma or a closing bracket") }
        return .list(values)
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw failure("expected a value") }
        index += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = index
        _ = skip(anyOf: "-")
        let startsWithZero = peek == UInt8(ascii: "0")
        let wholeDigits = skipDigits()
        guard wholeDigits > 0 else {
            index = start
            throw failure("expected a value")
        }
        var isValid = wholeDigits == 1 || !startsWithZero
        if skip(anyOf: ".") { isValid = skipDigits() > 0 && isValid }
        if skip(anyOf: "eE") {
            _ = skip(anyOf: "+-")
            isValid = skipDigits() > 0 && isValid
        }
        guard isValid, let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw failure("expected a JSON number")
        }
        return .number(number)
    }

    private mutating func skip(anyOf characters: String) -> Bool {
        guard let byte = peek, characters.utf8.contains(byte) else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let first = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        return index - first
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        var content: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("line break or control character in a string") }
            index += 1
            if byte == UInt8(ascii: "\\") {
                content += try escape()
            } else {
                content.append(byte)
            }
        }
        guard peek != nil else { throw failure("expected a closing double quote") }
        guard let text = String(validating: content, as: UTF8.self) else { throw failure("the string is not UTF-8") }
        index += 1
        return text
    }

    /// The UTF-8 of the escape sequence after a backslash.
    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let plain: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        guard let letter = peek else { throw failure("expected a closing double quote") }
        index += 1
        if let byte = plain[letter] { return [byte] }
        guard letter == UInt8(ascii: "u") else { throw failure("invalid escape sequence") }
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: #"\u"#.utf8) {
            index += 2
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw failure("incomplete surrogate pair") }
        return Array(text.utf8)
    }

    private mutating func unit() throws(JSONSyntaxError) -> UInt16 {
        let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw failure("expected four hexadecimal digits")
        }
        index += 4
        return unit
    }
}

/// The position of a JSON syntax error, and what was expected there.
package struct JSONSyntaxError: Error, Equatable {
    /// Counted from 1.
    package let line: Int
    /// In bytes, counted from 1.
    package let column: Int
    /// The message without the position.
    package let reason: String
}
