import Glibc
package import SystemPackage

/// Folders that are still there after a power cut.
package enum FolderTree {
    /// Makes the folders of `path`, one inside the other, below `top`, which must exist; those that are there are fine.
    ///
    /// - Parameter path: components with `/` between; none for `top` itself.
    /// - Returns: the last of them, open.
    /// - Throws: `Errno.notDirectory` where something else, a symbolic link included, has one of the names.
    package static func make(_ path: [UInt8], below top: FilePath) throws(Errno) -> OwnedDescriptor {
        var folder = try OwnedDescriptor(opening: top, options: .directory)
        for name in path.split(separator: UInt8(ascii: "/")).map(Array.init) {
            let parent = folder.raw
            if try make(name, in: parent) { try AtomicFile.synchronize(parent) }
            folder = try OwnedDescriptor(opening: name, in: folder.raw, options: .directory)
        }
        return folder
    }

    /// Makes one folder in an open one; not on disk yet when it returns. False where something has that name.
    package static func make(_ name: [UInt8], in folder: Int32) throws(Errno) -> Bool {
        try name.withCString { name throws(Errno) in
            do throws(Errno) {
                // The string outlives the call.
                _ = try Errno.retry { unsafe mkdirat(folder, name, 0o777) }
                return true
            } catch .fileExists {
                return false
            }
        }
    }
}
