import CLinuxShims
package import SystemPackage

/// What kind of file system something lies on, by the magic number of statfs(2).
package struct FileSystemKind: Hashable, Sendable {
    private let magic: UInt64

    /// Of an open file or folder.
    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        self = try Self.andIdentifier(of: descriptor).kind
    }

    /// - Parameter magic: statfs(2)'s `f_type`, as 32 bits without a sign.
    package init(magic: UInt64) {
        self.magic = magic
    }

    /// The name of one whose files may change without inotify(7) telling, because others than this kernel write to them:
    /// other machines, or the process behind a FUSE mount; nil for the others.
    package var nameIfSilent: String? { Self.silent[magic] }

    static func andIdentifier(of descriptor: Int32) throws(Errno) -> (kind: FileSystemKind, identifier: UInt64) {
        var magic: UInt64 = 0
        var identifier: UInt64 = 0
        // Both outlive the call.
        _ = try Errno.retry { unsafe linux_file_system(descriptor, &magic, &identifier) }
        return (FileSystemKind(magic: magic), identifier)
    }

    /// From the kernel's linux/magic.h and the file systems' own headers. Overlay is not among them: who changes a layer
    /// behind its back has no promise at all.
    private static let silent: [UInt64: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFE53_4D42: "SMB", 0xFF53_4D42: "CIFS", 0x6573_5546: "FUSE",
        0x0102_1997: "9P", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x00C3_6400: "Ceph", 0x7375_7245: "Coda",
        0x564C: "NCP", 0x786F_4256: "VirtualBox", 0xBACB_ACBC: "VMware", 0x7461_636F: "OCFS2", 0x0116_1970: "GFS2",
        0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS",
    ]
}
