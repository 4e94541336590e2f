package import LinuxIO
package import SystemPackage

/// What a ZIP or a gzipped tar of stickerd says of itself. Later ZIPs copy entries, so its end must be right, too.
package struct WholeArchive {
    /// The digest of its contents, as its writer defines it.
    package let comment: String
    /// 0 for a tar, whose entries are not counted.
    package let entries: Int

    /// nil if an open file is no whole archive with a comment of that length. Its entries are not read.
    package init?(_ file: borrowing OwnedDescriptor, commentLength: Int) throws(Errno) {
        if let zip = StoredZip.summary(of: file, commentLength: commentLength) {
            guard try StoredZip.isIntact(file, size: zip.bytes, commentLength: commentLength) else { return nil }
            (comment, entries) = (zip.comment, zip.entries)
        } else if let tar = TarGz.summary(of: file, commentLength: commentLength) {
            (comment, entries) = (tar.comment, 0)
        } else {
            return nil
        }
    }
}
