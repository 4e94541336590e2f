/// Size and modification time of a file. Unlike the inode and the time of its last change of status, they survive hard
/// links, backups and another mount.
package struct FileStamp: Sendable, Hashable {
    package let bytes: Int64
    /// In nanoseconds since 1970.
    package let modified: Int64

    package init(bytes: Int64, modified: Int64) { (self.bytes, self.modified) = (bytes, modified) }

    package init(_ file: FileIdentity) { self.init(bytes: file.size, modified: file.modified) }

    /// nil if it is no regular file.
    package init?(_ status: FileStatus) {
        guard status.kind == .regular else { return nil }
        self.init(bytes: status.identity.size, modified: status.identity.modified)
    }
}
