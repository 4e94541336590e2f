import CLinuxShims
import Glibc
package import SystemPackage

/// Renames that never replace a file, on every file system.
extension FileMove {
    /// Renames a file to an unused name.
    ///
    /// RENAME_NOREPLACE does this in one step. File systems without it, such as FUSE and NFS, fail with `EINVAL`.
    /// There, an empty file reserves the name first, which O_EXCL makes safe, and is then replaced. link(2) would not
    /// do: FAT has no links, and in many FUSE file systems a link looks like another file.
    ///
    /// A crash can leave the empty file.
    /// - Throws: `Errno.fileExists` if the name is taken.
    static func rename(_ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32) throws(Errno) {
        do throws(Errno) {
            try renameNew(name, in: folder, to: newName, in: newFolder)
        } catch .invalidArgument {
            try renameReserving(name, in: folder, to: newName, in: newFolder)
        }
    }

    /// The same for a file system without RENAME_NOREPLACE.
    package static func renameReserving(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32
    ) throws(Errno) {
        try reserve(newName, in: newFolder)
        do throws(Errno) {
            // Another program may have written to it, or renamed its own file to this name.
            guard isReservation(newName, in: newFolder) else { throw .fileExists }
            try renameOver(name, in: folder, to: newName, in: newFolder)
        } catch {
            if isReservation(newName, in: newFolder) { try? AtomicFile.remove(newName, in: newFolder) }
            throw error
        }
    }

    /// Makes an empty file with an unused name, only for its owner.
    private static func reserve(_ name: [UInt8], in folder: Int32) throws(Errno) {
        _ = try OwnedDescriptor(opening: name, in: folder, .writeOnly, options: [.create, .exclusiveCreate])
    }

    /// Whether this may be the empty file that reserves a name.
    private static func isReservation(_ name: [UInt8], in folder: Int32) -> Bool {
        guard let status = try? FileStatus(of: name, in: folder) else { return false }
        return status.kind == .regular && status.identity.size == 0
    }

    static func renameNew(_ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32) throws(Errno) {
        try name.withCString { name throws(Errno) in
            try newName.withCString { newName throws(Errno) in
                // Both strings outlive the call.
                _ = try Errno.retry { unsafe linux_rename_new(folder, name, newFolder, newName) }
            }
        }
    }

    /// Renames a file, and replaces one that has the new name.
    static func renameOver(_ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32) throws(Errno) {
        try name.withCString { name throws(Errno) in
            try newName.withCString { newName throws(Errno) in
                // Both strings outlive the call.
                _ = try Errno.retry { unsafe renameat(folder, name, newFolder, newName) }
            }
        }
    }
}

/// A file to be moved or removed, open since it was checked.
///
/// On overlayfs and some FUSE file systems, a rename gives the file another inode number. Then it is recognized by its
/// contents.
struct CheckedFile: ~Copyable {
    private let identity: FileIdentity
    /// Nil if it may not be read.
    private let file: OwnedDescriptor?

    /// Nil if the name belongs to another file or to none.
    init?(_ name: [UInt8], in folder: Int32, _ isExpected: (FileStatus) -> Bool) throws(Errno) {
        guard let status = try FileStatus.existing(name, in: folder), isExpected(status) else { return nil }
        identity = status.identity
        file = Self.open(name, in: folder, identity)
    }

    private static func open(_ name: [UInt8], in folder: Int32, _ identity: FileIdentity) -> OwnedDescriptor? {
        guard let file = try? OwnedDescriptor(opening: name, in: folder, options: .nonBlocking),
            (try? FileStatus(ofDescriptor: file.raw).identity) == identity
        else { return nil }
        return file
    }

    /// Whether hard links give it further names; false if it may not be read.
    var hasOtherNames: Bool {
        switch file {
        case nil: false
        case .some(let file): (try? Stat(FileDescriptor(rawValue: file.raw)).linkCount).map { $0 > 1 } ?? false
        }
    }

    /// Whether the file with this name is the checked one, unchanged.
    func isStill(_ name: [UInt8], in folder: Int32, _ isExpected: (FileStatus) -> Bool) throws(Errno) -> Bool {
        let status = try FileStatus(of: name, in: folder)
        if isExpected(status) { return true }
        let now = status.identity
        guard status.kind == .regular, now.size == identity.size, now.modified == identity.modified,
            now.node != identity.node
        else { return false }
        switch file {
        case nil: return false
        case .some(let checked):
            let named = try OwnedDescriptor(opening: name, in: folder, options: .nonBlocking)
            return try ContentDigest.sha256(ofDescriptor: named.raw, limit: .max)
                == ContentDigest.sha256(ofDescriptor: checked.raw, limit: .max)
        }
    }
}
