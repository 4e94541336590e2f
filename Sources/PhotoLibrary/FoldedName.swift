import Foundation

/// A name folded for file systems that ignore letter case and Unicode normalization (ext4's casefold folders, exFAT,
/// NTFS, APFS). Two names are equal if any of these could treat them as one.
///
/// Covers all of them rather than matching one exactly: two names may be equal here although each distinguishes them.
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
