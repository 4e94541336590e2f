/// A pack's or a file's name, compared by its UTF-8 bytes, as SQLite and Linux's file systems compare names.
///
/// `String` compares by canonical equivalence: it takes the composed and the decomposed spelling of `Café` for one name,
/// where the file system has two folders. No dictionary, set or comparison may have such a `String` for its key.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        // No byte of UTF-8: names that are hashed one after the other stay apart.
        hasher.combine(UInt8.max)
    }
}

extension ExactName: Comparable {
    package static func < (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ExactName: CustomStringConvertible {
    package var description: String { text }
}

extension ExactName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension String {
    /// Whether both are the same bytes; `==` is also true for canonically equivalent text.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
