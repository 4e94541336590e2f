/// One JSON value as written: members keep their order, line and duplicates.
package enum JSONValue: Sendable, Equatable {
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

        package init(name: String, line: Int, value: JSONValue) {
            self.name = name
            self.line = line
            self.value = value
        }
    }

    /// The payload of the case; nil for any other.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The first member of that name.
    package subscript(name: String) -> JSONValue? { members?.first { $0.name == name }?.value }
}

extension JSONValue: CustomStringConvertible {
    /// Short and on one line, for "must be …, not `description`".
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
    /// In double quotes, cut to 100 characters, with what could forge a line escaped: for untrusted text in messages.
    var quoted: String { (count > 100 ? prefix(100) + "…" : self).debugDescription }
}
