/// A file or folder in the inbox, named by its path from the inbox's root: bytes as the kernel gives them, `/` between.
///
/// File names are untrusted and need not be UTF-8. `description` is their safe face for the journal, for JSON and for
/// the Library: printable UTF-8 on one line, from which the bytes can be had back with `init(escaped:)`.
package struct InboxPath: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Leading, trailing and doubled slashes are not removed: give the path as it was built.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What is directly in this folder under that name; the empty path is the inbox's root.
    package func appending(_ name: [UInt8]) -> InboxPath {
        InboxPath(bytes: bytes.isEmpty ? name : bytes + [Self.slash] + name)
    }

    /// The last component.
    package var name: [UInt8] {
        Array(bytes[((bytes.lastIndex(of: Self.slash) ?? -1) + 1)...])
    }

    /// The folder above, or nil for what lies in the inbox's root.
    package var folder: InboxPath? {
        bytes.lastIndex(of: Self.slash).map { InboxPath(bytes: Array(bytes[..<$0])) }
    }

    /// The first folder level, escaped, which names the pack; nil for the root's own pack.
    package var pack: String? {
        bytes.firstIndex(of: Self.slash).map { InboxPath(bytes: Array(bytes[..<$0])).description }
    }

    /// The name alone, escaped.
    package var fileName: String { InboxPath(bytes: name).description }

    /// The name without its last ending, escaped. A name that is all ending (`.jpg`) is its own stem.
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
    /// By bytes, which for UTF-8 is the order of code points and the same on every machine.
    package static func < (a: InboxPath, b: InboxPath) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}
