package import SystemPackage

/// Which folder on which file system: what a path leads to today may be another folder than yesterday, where a disk was
/// unmounted or the folder was replaced.
package struct FolderPlace: Hashable, Sendable {
    /// Of many file systems this changes with each mount.
    package let device: UInt64
    package let inode: UInt64
    /// statfs(2)'s `f_fsid`: with ext4, btrfs, f2fs and tmpfs drawn from the file system itself, the same after every
    /// mount; with XFS and FAT made of the device number; 0 where there is none (NFS).
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

    /// Of what the path leads to, symbolic links followed.
    ///
    /// - Throws: `Errno.notDirectory` where that is no folder.
    package init(of folder: FilePath) throws(Errno) {
        let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
        try self.init(ofDescriptor: descriptor.raw)
    }

    /// The same folder, though its file system may have been mounted anew meanwhile.
    package func isSame(as other: FolderPlace) -> Bool {
        inode == other.inode && isOnSameFileSystem(as: other)
    }

    /// On the same file system, though that may have been mounted anew meanwhile.
    package func isOnSameFileSystem(as other: FolderPlace) -> Bool {
        // The numbers of unmounted file systems without a disk are given to the next ones.
        if fileSystem != 0, other.fileSystem != 0 { return fileSystem == other.fileSystem }
        return device == other.device
    }
}
