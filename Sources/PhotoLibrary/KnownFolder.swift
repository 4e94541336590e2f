package import FileNames
package import LinuxIO

/// The files recorded directly in one folder, as digests: 24 bytes for each, whatever its name, so that a folder of a
/// million files fits in memory.
///
/// Digests have 64 bits; each process has its own key. If those of two names are equal, a file counts as changed
/// although it is not, and recording it has no effect. A changed file would count as unchanged only if both of its
/// digests were equal to recorded ones.
package struct KnownFolder: Sendable {
    struct Entry: Sendable {
        let name: UInt64
        let identity: UInt64
        /// The Library's key of the file.
        let file: Int64
    }

    private static let bucketBits = 16

    /// Ordered by name digest.
    private var entries: [Entry]
    /// Whether the file of each entry was found.
    private var isFound: [Bool]
    /// Where the entries begin whose name digests have these upper bits.
    private let starts: [Int32]
    /// The files that could not be read for lack of permission, which those of their folder may have caused.
    package let forbidden: Set<InboxPath>

    /// Consumes the entries, because sorting would copy an array that the caller keeps.
    init(_ entries: consuming [Entry], forbidden: Set<InboxPath> = []) {
        self.forbidden = forbidden
        entries.sort { $0.name < $1.name }
        self.entries = entries
        isFound = Array(repeating: false, count: entries.count)
        var starts = [Int32](repeating: 0, count: 1 << Self.bucketBits + 1)
        for entry in entries { starts[Self.bucket(entry.name) + 1] += 1 }
        for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
        self.starts = starts
    }

    package var count: Int { entries.count }

    /// Compares a file with the record, and notes that it was found.
    ///
    /// - Parameters:
    ///   - name: the name in the folder.
    ///   - identity: nil if the file's status cannot be read.
    /// - Returns: whether it is known with this identity.
    package mutating func find(_ name: [UInt8], _ identity: FileIdentity?) -> Bool {
        let digest = Self.digest(ofName: name.span)
        let bucket = Self.bucket(digest)
        let known = identity.map(Self.digest(of:))
        var first: Int?
        for index in Int(starts[bucket])..<Int(starts[bucket + 1]) where entries[index].name == digest {
            if entries[index].identity == known {
                isFound[index] = true
                return true
            }
            first = first ?? index
        }
        if let first { isFound[first] = true }
        return false
    }

    /// The Library's keys of the files that were not found.
    package var missing: [Int64] {
        entries.indices.filter { !isFound[$0] }.map { entries[$0].file }
    }

    private static func bucket(_ name: UInt64) -> Int { Int(name >> (64 - UInt64(bucketBits))) }

    static func digest(ofName name: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        // The span outlives the call.
        unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    static func digest(of identity: FileIdentity) -> UInt64 {
        var hasher = Hasher()
        identity.hash(into: &hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
