package import LinuxIO
package import SystemPackage

/// A ZIP or a gzipped tar of stickerd, which says in its comment what it has.
package enum WholeArchive {
    /// Whether an open file is whole and says what it should; nil if it is no archive with a comment of that length.
    /// Reads all of it.
    ///
    /// - Parameters:
    ///   - file: open for reading.
    ///   - commentLength: in bytes.
    ///   - isRight: gets the comment and the number of entries, 0 for a tar, before any entry is read.
    package static func check(
        _ file: borrowing OwnedDescriptor, commentLength: Int, isRight: (_ comment: String, _ entries: Int) -> Bool
    ) throws(Errno) -> Bool? {
        if let zip = StoredZip.summary(of: file, commentLength: commentLength) {
            guard isRight(zip.comment, zip.entries) else { return false }
            return try StoredZip.isIntact(file, size: zip.bytes, commentLength: commentLength)
        }
        guard let comment = TarGz.comment(of: file, length: commentLength) else { return nil }
        guard isRight(comment, 0) else { return false }
        return try TarGz.isIntact(file, commentLength: commentLength)
    }
}
