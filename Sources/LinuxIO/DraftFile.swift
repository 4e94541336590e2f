import Glibc
package import SystemPackage

/// A file in the making, written piece by piece: it has a temporary name until `publish`, and is gone where that is
/// never called.
package struct DraftFile: ~Copyable {
    private let folder: OwnedDescriptor
    private let file: OwnedDescriptor
    private let temporary: [UInt8]
    private var isPublished = false

    /// - Parameter mode: the umask still takes its share.
    package init(
        in folder: FilePath, mode: FilePermissions = FilePermissions(rawValue: 0o644)
    ) throws(Errno) {
        try self.init(in: try OwnedDescriptor(opening: folder, options: .directory), mode: mode)
    }

    /// - Parameters:
    ///   - folder: open, which it stays wherever its path leads meanwhile.
    ///   - mode: the umask still takes its share.
    package init(in folder: consuming OwnedDescriptor, mode: FilePermissions) throws(Errno) {
        let name = AtomicFile.temporaryName()
        let file = try OwnedDescriptor(
            opening: name, in: folder.raw, .writeOnly, options: [.create, .exclusiveCreate], permissions: mode)
        self.init(folder: folder, file: file, temporary: name)
    }

    private init(folder: consuming OwnedDescriptor, file: consuming OwnedDescriptor, temporary: [UInt8]) {
        self.folder = folder
        self.file = file
        self.temporary = temporary
    }

    deinit {
        if !isPublished { try? AtomicFile.remove(temporary, in: folder.raw) }
    }

    /// Appends all of `bytes`.
    package func write(_ bytes: [UInt8]) throws(Errno) { try file.write(bytes) }

    /// Puts it under `name`, replacing what was there. On disk when it returns; after a throw the name is as it was
    /// before (or, where only the folder's fsync failed, new).
    package consuming func publish(as name: String) throws(Errno) {
        try AtomicFile.synchronize(file.raw)
        let target = Array(name.utf8)
        try temporary.withCString { from throws(Errno) in
            try target.withCString { to throws(Errno) in
                // Both strings outlive the call.
                _ = try Errno.retry { unsafe renameat(folder.raw, from, folder.raw, to) }
            }
        }
        isPublished = true
        try AtomicFile.synchronize(folder.raw)
    }
}
