import Foundation

/// A pack's or a file's name, compared by its UTF-8 bytes, as SQLite and Linux's file systems compare names.
///
/// `String` compares by canonical equivalence: `Café` composed equals `Café` decomposed, but they are two folders in
/// the file system. Never use such a `String` as a key of a dictionary or set, or in a comparison.
package struct ExactName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.init(text) }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        // A byte that UTF-8 never contains separates names that are hashed in sequence.
        hasher.combine(UInt8.max)
    }

    package static func < (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package var description: String { text }
}

extension String {
    /// Whether both are the same bytes; `==` is also true for canonically equivalent text.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A name folded for file systems that ignore letter case and Unicode normalization (ext4's casefold folders, exFAT,
/// NTFS, APFS). Two names are equal if any of these could treat them as one.
///
/// Stricter than any single one: two names may be equal here although each of these file systems distinguishes them.
package struct FoldedName: Hashable, Sendable {
    package let text: String

    package init(_ name: String) {
        // ext4 ignores default-ignorable code points; both mappings together also fold `ß` and `ſ`.
        let visible = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
        text =
            visible.decomposedStringWithCanonicalMapping.uppercased().lowercased()
            .decomposedStringWithCanonicalMapping
    }
}
