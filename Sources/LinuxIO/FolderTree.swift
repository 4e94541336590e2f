import Glibc
import Synchronization
package import SystemPackage

/// Makes folders durably: syncing a file does not sync the name of its folder.
package enum FolderTree {
    /// Folders whose names are synced, by device and inode. A process that made one may have died before its fsync, so
    /// each existing folder is synced once per process.
    private static let synced = Mutex<Set<FileNode>>([])
    /// The most folders kept here. Beyond this the set is emptied, which costs another fsync for each.
    private static let maxSynced = 4096

    /// rwxrwxrwx, reduced by the umask.
    package static let openMode = FilePermissions(rawValue: 0o777)

    /// Makes the missing folders of `path`, one inside the other, below `top`, which must exist.
    ///
    /// - Parameters:
    ///   - path: components separated by `/`; empty for `top` itself.
    ///   - isPrivate: whether new folders get `PrivateFolder.mode`.
    /// - Returns: the last folder, open.
    /// - Throws: `Errno.notDirectory` if something else, even a symbolic link, has one of the names.
    package static func make(
        _ path: [UInt8], below top: FilePath, isPrivate: Bool = false
    ) throws(Errno) -> OwnedDescriptor {
        var folder = try OwnedDescriptor(opening: top, options: .directory)
        for name in path.split(separator: UInt8(ascii: "/")).map(Array.init) {
            let isMade = try make(name, in: folder.raw, mode: isPrivate ? PrivateFolder.withoutGroupBit : openMode)
            folder = try OwnedDescriptor(opening: name, in: folder.raw, options: .directory)
            if isMade, isPrivate { try PrivateFolder.restrict(folder.raw) }
        }
        return folder
    }

    /// Makes one folder in an open one if the name is free. Syncs the name in either case.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    package static func make(
        _ name: [UInt8], in parent: Int32, mode: FilePermissions = openMode
    ) throws(Errno) -> Bool {
        let isMade = try makeUnsynced(name, in: parent, mode: mode)
        let place = try? FileStatus(of: name, in: parent).identity.node
        if !isMade, let place, synced.withLock({ $0.contains(place) }) { return false }
        try AtomicFile.synchronize(parent)
        guard let place else { return isMade }
        synced.withLock { synced in
            if synced.count >= maxSynced { synced = [] }
            synced.insert(place)
        }
        return isMade
    }

    /// Makes a folder and its missing parents. Follows symbolic links on the way.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    package static func make(at path: FilePath, mode: FilePermissions = openMode) throws(Errno) -> Bool {
        guard let name = path.lastComponent else { return false }
        let parent = path.removingLastComponent().isEmpty ? "." : path.removingLastComponent()
        guard !isFolder(path) else {
            // An existing parent may belong to another user, who may forbid opening or syncing it.
            if let open = try? OwnedDescriptor(opening: parent, options: .directory) {
                _ = try? make(FilePath(root: nil, [name]).bytes, in: open.raw)
            }
            return false
        }
        if !isFolder(parent) { try make(at: parent) }
        let open = try OwnedDescriptor(opening: parent, options: .directory)
        let isMade = try make(FilePath(root: nil, [name]).bytes, in: open.raw, mode: mode)
        guard isFolder(path) else { throw .fileExists }
        return isMade
    }

    private static func makeUnsynced(_ name: [UInt8], in parent: Int32, mode: FilePermissions) throws(Errno) -> Bool {
        try name.withCString { name throws(Errno) in
            do throws(Errno) {
                // The string outlives the call.
                _ = try Errno.retry { unsafe mkdirat(parent, name, mode.rawValue) }
                return true
            } catch .fileExists {
                return false
            }
        }
    }

    /// Whether the path leads to a folder. Follows symbolic links.
    package static func isFolder(_ path: FilePath) -> Bool { (try? path.stat().type) == .directory }
}
