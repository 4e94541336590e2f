import CLinuxShims
package import SystemPackage

/// Holds a lock on a file for as long as it lives; the kernel lets go of it when the process ends, however it ends.
///
/// An open-file-description lock (fcntl(2)) and not flock(2): whether it is held can be asked without taking it.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    // A child on its way from fork to exec still has the descriptor: closing ours alone would leave it locked.
    deinit { _ = linux_unlock(descriptor.raw) }

    /// Makes the file where there is none, and never removes it: a lock on a removed file would guard nothing.
    ///
    /// - Throws: `Errno.wouldBlock` at once where somebody holds it, be it in this process.
    package init(at path: FilePath) throws(Errno) {
        let permissions = FilePermissions(rawValue: 0o644)
        let descriptor = try OwnedDescriptor(
            opening: path, .readWrite, options: [.create, .noFollow], permissions: permissions)
        _ = try Errno.retry { linux_lock(descriptor.raw) }
        self.descriptor = descriptor
    }

    /// Whether somebody holds the lock right now; false where there is no such file or it cannot be read.
    package static func isHeld(at path: FilePath) -> Bool {
        guard let descriptor = try? OwnedDescriptor(opening: path, options: .noFollow) else { return false }
        return linux_is_locked(descriptor.raw) == 1
    }
}
