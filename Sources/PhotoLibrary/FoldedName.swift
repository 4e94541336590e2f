import Foundation

/// A name as a file system compares it that ignores letter case and Unicode normalization (ext4's casefold folders,
/// exFAT, NTFS, APFS): equal for two names that one of these could take for one.
///
/// Compatible with each of them rather than exact for one: it may call names equal that all of them tell apart.
package struct FoldedName: Hashable, Sendable {
    package let text: String

    package init(_ name: String) {
        // ext4 ignores code points without a shape of their own; both mappings together also fold `ß` and `ſ`.
        let visible = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
        text =
            visible.decomposedStringWithCanonicalMapping.uppercased().lowercased()
            .decomposedStringWithCanonicalMapping
    }
}
