/// A file or folder in the inbox, by its path from the inbox's root: the kernel's bytes, separated by `/`.
///
/// File names are untrusted and need not be UTF-8. `description` is their safe form for the journal, JSON and the
/// Library: printable UTF-8 on one line. `init(escaped:)` restores the bytes.
package struct InboxPath: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Leading, trailing and doubled slashes are not removed.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path of `name` in this folder; the empty path is the inbox's root.
    package func appending(_ name: [UInt8]) -> InboxPath {
        InboxPath(bytes: bytes.isEmpty ? name : bytes + [Self.slash] + name)
    }

    /// The last component.
    package var name: [UInt8] {
        Array(bytes[((bytes.lastIndex(of: Self.slash) ?? -1) + 1)...])
    }

    /// The folder above; nil in the inbox's root.
    package var folder: InboxPath? {
        bytes.lastIndex(of: Self.slash).map { InboxPath(bytes: Array(bytes[..<$0])) }
    }

    /// The first folder level, escaped, which names the pack; nil for the root pack.
    package var pack: String? {
        bytes.firstIndex(of: Self.slash).map { InboxPath(bytes: Array(bytes[..<$0])).description }
    }

    /// The name alone, escaped.
    package var fileName: String { InboxPath(bytes: name).description }

    /// The name without its extension, escaped. A name that is all extension (`.jpg`) is its own stem.
    package var stem: String {
        let name = name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
            return InboxPath(bytes: name).description
        }
        return InboxPath(bytes: Array(name[..<dot])).description
    }

    private static let slash = UInt8(ascii: "/")
}

extension InboxPath: Comparable {
    /// By bytes, which for UTF-8 is the order of code points, independent of the locale.
    package static func < (a: InboxPath, b: InboxPath) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}

// MARK: - Escaping

extension InboxPath: CustomStringConvertible {
    /// The path with every byte that is not part of harmless UTF-8 written as `\xNN`: invalid sequences, control
    /// characters, line separators, bidirectional controls, and the backslash itself.
    package var description: String {
        var result = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = Self.sequenceLength(first)
            let candidate = rest.prefix(length)
            if let text = String(validating: candidate, as: UTF8.self), let scalar = text.unicodeScalars.first,
                text.unicodeScalars.count == 1, scalar.isHarmless, scalar != "\\"
            {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                result += first.escaped
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The inverse of `description`; nil if a backslash is not followed by `x` and two hexadecimal digits.
    package init?(escaped: String) {
        var bytes: [UInt8] = []
        var rest = Array(escaped.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2,
                // `UInt8(_:radix:)` also accepts a sign.
                rest.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        self.init(bytes: bytes)
    }

    private static func sequenceLength(_ first: UInt8) -> Int {
        switch first {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }
}

extension Unicode.Scalar {
    /// Whether it neither ends a line, nor moves the cursor or changes the text direction.
    package var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            // Joiners are part of ordinary words and of emoji, and do not reorder text.
            self == "\u{200C}" || self == "\u{200D}"
        default: true
        }
    }
}

extension UInt8 {
    /// `\xNN`.
    package var escaped: String { "\\x" + (self < 16 ? "0" : "") + String(self, radix: 16) }
}
