import CLinuxShims
import Glibc
package import SystemPackage

/// Identifies a folder and its file system. A path may lead to another folder after a disk is unmounted or the folder
/// is replaced.
package struct DirectoryIdentity: Hashable, Sendable {
    /// On many file systems, changes with each mount.
    package let device: UInt64
    package let inode: UInt64
    /// statfs(2)'s `f_fsid`. ext4, btrfs, f2fs and tmpfs keep it across mounts; XFS and FAT derive it from the device
    /// number; 0 if there is none (NFS).
    package let fileSystem: UInt64

    package init(device: UInt64, inode: UInt64, fileSystem: UInt64) {
        self.device = device
        self.inode = inode
        self.fileSystem = fileSystem
    }

    /// Of an open folder.
    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        let identity = try FileStatus(ofDescriptor: descriptor).identity
        self.init(
            device: identity.device, inode: identity.inode,
            fileSystem: try FileSystemKind.andIdentifier(of: descriptor).identifier)
    }

    /// Of the path; follows symbolic links.
    ///
    /// - Throws: `Errno.notDirectory` if it is no folder.
    package init(of folder: FilePath) throws(Errno) {
        let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
        try self.init(ofDescriptor: descriptor.raw)
    }

    /// Whether this is the same folder, even if its file system was remounted.
    package func isSame(as other: DirectoryIdentity) -> Bool {
        inode == other.inode && isOnSameFileSystem(as: other)
    }

    /// Whether this folder is on the same file system, even if that was remounted.
    package func isOnSameFileSystem(as other: DirectoryIdentity) -> Bool {
        // The device numbers of unmounted file systems without a disk are reused.
        if fileSystem != 0, other.fileSystem != 0 { return fileSystem == other.fileSystem }
        return device == other.device
    }
}

/// A type of file system, by statfs(2)'s magic number.
package struct FileSystemKind: Hashable, Sendable {
    private let magic: UInt64

    /// Of an open file or folder.
    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        self = try Self.andIdentifier(of: descriptor).kind
    }

    /// tmpfs, which is in memory.
    package static let temporary = FileSystemKind(magic: 0x0102_1994)

    /// Of the folder at a path; follows symbolic links.
    package init(of folder: FilePath) throws(Errno) {
        let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
        try self.init(ofDescriptor: descriptor.raw)
    }

    /// - Parameter magic: statfs(2)'s `f_type` as an unsigned 32-bit number.
    package init(magic: UInt64) {
        self.magic = magic
    }

    /// The file system's name if inotify(7) misses changes on it, because other machines or a FUSE process make them;
    /// otherwise nil.
    package var nameIfSilent: String? { Self.silent[magic] }

    static func andIdentifier(of descriptor: Int32) throws(Errno) -> (kind: FileSystemKind, identifier: UInt64) {
        var magic: UInt64 = 0
        var identifier: UInt64 = 0
        // Both outlive the call.
        _ = try Errno.retry { unsafe linux_file_system(descriptor, &magic, &identifier) }
        return (FileSystemKind(magic: magic), identifier)
    }

    /// From the kernel's linux/magic.h and the file systems' own headers. Excludes overlayfs: changing a layer of a
    /// mounted overlay is undefined behavior.
    private static let silent: [UInt64: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFE53_4D42: "SMB", 0xFF53_4D42: "CIFS", 0x6573_5546: "FUSE",
        0x0102_1997: "9P", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x00C3_6400: "Ceph", 0x7375_7245: "Coda",
        0x564C: "NCP", 0x786F_4256: "VirtualBox", 0xBACB_ACBC: "VMware", 0x7461_636F: "OCFS2", 0x0116_1970: "GFS2",
        0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS",
    ]
}

/// The free space of file systems.
package enum FileSystemSpace {
    /// Bytes that an unprivileged user may still write at `path` (statvfs(3)).
    package static func free(at path: FilePath) throws(Errno) -> Int {
        var answer = statvfs()
        _ = try Errno.retry {
            // Both pointers outlive the call.
            unsafe path.withPlatformString { unsafe statvfs($0, &answer) }
        }
        let (bytes, isTooMuch) = Int(answer.f_bavail).multipliedReportingOverflow(by: Int(answer.f_frsize))
        return isTooMuch ? .max : bytes
    }
}
