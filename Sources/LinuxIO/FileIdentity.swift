/// What tells one version of a file from another without reading it: equal identities mean unchanged bytes.
///
/// Inode change time moves with every write, rename and change of permissions and cannot be set back, so a file that
/// was replaced or edited never keeps its identity. `size` is in bytes, times are nanoseconds since 1970.
package struct FileIdentity: Hashable, Sendable, Codable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// When the contents changed last, or what somebody has set this to.
    package let modified: Int64
    /// Inode change time.
    package let changed: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}
