import CLinuxShims
package import SystemPackage

/// Holds a lock on a file while this value lives. If the process ends, the kernel releases the lock.
///
/// An open-file-description lock (fcntl(2)), not flock(2), because `isHeld` can check it without taking it.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    // A child between fork and exec still has the descriptor: closing ours alone would leave the file locked.
    deinit { _ = linux_unlock(descriptor.raw) }

    /// Creates the file if it is missing, and never removes it: a lock on a removed file would exclude no other process.
    ///
    /// - Throws: `Errno.wouldBlock` immediately if it is held, even by this process.
    package init(at path: FilePath) throws(Errno) {
        let permissions = FilePermissions(rawValue: 0o644)
        let descriptor = try OwnedDescriptor(
            opening: path, .readWrite, options: [.create, .noFollow], permissions: permissions)
        _ = try Errno.retry { linux_lock(descriptor.raw) }
        self.descriptor = descriptor
    }

    /// Whether the lock is held now; false if the file is missing or cannot be read.
    package static func isHeld(at path: FilePath) -> Bool {
        guard let descriptor = try? OwnedDescriptor(opening: path, options: .noFollow) else { return false }
        return linux_is_locked(descriptor.raw) == 1
    }
}
