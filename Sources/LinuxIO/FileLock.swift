import CLinuxShims
import Glibc
package import SystemPackage

/// Holds a lock on a file while this value lives. The kernel releases the lock when the process ends. The file has a
/// text written by the holder, which other processes can read without taking the lock.
///
/// An open-file-description lock (fcntl(2)), not flock(2), because `isHeld` can check it without taking it.
package struct FileLock: ~Copyable, Sendable {
    /// The size of the file, and the most bytes of its text.
    package static let maxTextBytes = 4096
    private static let padding = UInt8(ascii: " ")

    private let descriptor: OwnedDescriptor

    // Unlock explicitly: a child between fork and exec still has the descriptor, so closing ours alone would keep the
    // lock.
    deinit { _ = linux_unlock(descriptor.raw) }

    /// Creates the file if it is missing, and never removes it: a lock on a removed file would exclude no other
    /// process. Clears the last holder's text. Only owner and group can read the file, because the text may name
    /// photos.
    ///
    /// - Throws: `Errno.wouldBlock` immediately if it is held, even by this process; `Errno.invalidArgument` if it is a
    ///   FIFO.
    package init(at path: FilePath) throws(Errno) {
        let descriptor = try OwnedDescriptor(
            opening: path, .readWrite, options: [.create, .noFollow], permissions: PrivateFolder.fileMode)
        guard try FileStatus(ofDescriptor: descriptor.raw).kind == .regular else { throw .invalidArgument }
        // Earlier releases created it readable by all.
        try PrivateFolder.restrictFile(descriptor.raw)
        _ = try Errno.retry { linux_lock(descriptor.raw) }
        self.descriptor = descriptor
        // The lock works without a text.
        try? write(text: [])
    }

    /// Locks a file in an open folder, and keeps its text. Only the file's owner can open a new one, because a user who
    /// can read a file can lock it. Another user's file is replaced if it is empty. A file system without locks
    /// excludes no other process.
    ///
    /// - Throws: also `Errno.permissionDenied` if the file belongs to another user, or `Errno.invalidArgument` if it is
    ///   a FIFO.
    package init(named name: [UInt8], in folder: Int32) throws(Errno) {
        let descriptor = try Self.open(name, in: folder)
        guard try FileStatus(ofDescriptor: descriptor.raw).kind == .regular else { throw .invalidArgument }
        do throws(Errno) {
            _ = try Errno.retry { linux_lock(descriptor.raw) }
        } catch let error where error != .wouldBlock {
            // Then it excludes no other process.
        }
        self.descriptor = descriptor
    }

    private static func open(_ name: [UInt8], in folder: Int32) throws(Errno) -> OwnedDescriptor {
        do throws(Errno) {
            return try OwnedDescriptor(
                opening: name, in: folder, .readWrite, options: [.create, .nonBlocking], permissions: .ownerReadWrite)
        } catch .permissionDenied where (try? FileStatus(of: name, in: folder))?.identity.size == 0 {
            try AtomicFile.remove(name, in: folder)
            return try open(name, in: folder)
        }
    }

    /// The file's, to compare with what has its name.
    package func identity() throws(Errno) -> FileIdentity { try FileStatus(ofDescriptor: descriptor.raw).identity }

    /// The file's text, without padding.
    package func contents() throws(Errno) -> [UInt8] {
        Self.withoutPadding(try descriptor.read(at: 0, upTo: Self.maxTextBytes))
    }

    /// Syncs the file and its folder.
    package func synchronize(in folder: Int32) throws(Errno) {
        try AtomicFile.synchronize(descriptor.raw)
        try AtomicFile.synchronize(folder)
    }

    /// Replaces the text. May block on the disk. Does not sync: the text matters only while this process runs.
    ///
    /// Writes the whole file in one call, always with the same size. Later writes need no new block, so they succeed on
    /// a full disk, unless the file system is copy-on-write.
    ///
    /// - Parameter text: at most `maxTextBytes`; trailing spaces are lost.
    /// - Throws: `Errno.fileTooLarge` if it is longer.
    package func write(text: [UInt8]) throws(Errno) {
        guard text.count <= Self.maxTextBytes else { throw .fileTooLarge }
        let block = text + [UInt8](repeating: Self.padding, count: Self.maxTextBytes - text.count)
        let count = try Errno.retry {
            // The buffer outlives the call and is not read beyond its end.
            unsafe block.withUnsafeBytes { unsafe pwrite(descriptor.raw, $0.baseAddress, $0.count, 0) }
        }
        guard count == block.count else { throw .noSpace }
    }

    /// The holder's text; nil if the lock is not held, or the file is missing.
    ///
    /// - Throws: if the file cannot be opened.
    ///
    /// Untrusted: a concurrent write can mix two texts, and the last holder's text remains for a moment after the next
    /// one has taken the lock.
    package static func text(at path: FilePath) throws(Errno) -> [UInt8]? {
        guard let file = try heldFile(at: path), let block = try? file.read(upTo: maxTextBytes) else { return nil }
        return withoutPadding(block)
    }

    private static func withoutPadding(_ block: [UInt8]) -> [UInt8] {
        Array(block[..<((block.lastIndex { $0 != padding } ?? -1) + 1)])
    }

    /// The open file, if it is locked.
    private static func heldFile(at path: FilePath) throws(Errno) -> OwnedDescriptor? {
        do throws(Errno) {
            // Does not wait for the writer of a FIFO, which has no lock.
            let file = try OwnedDescriptor(opening: path, options: [.noFollow, .nonBlocking])
            return linux_is_locked(file.raw) == 1 ? consume file : nil
        } catch .noSuchFileOrDirectory, .notDirectory {
            return nil
        }
    }
}
