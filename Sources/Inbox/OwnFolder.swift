package import FileNames
package import LinuxIO
package import SystemPackage

/// A folder that stickerd writes to. Its files never become photos, even if a mount shows it inside the inbox: it is
/// recognized by device and inode, and a folder below it by its place in the file system.
package struct OwnFolder: Sendable, Equatable {
    /// As in the settings, such as `originals.archive`.
    let name: String
    let path: FilePath

    /// - Parameters:
    ///   - name: its key in the settings.
    ///   - path: may lead to nothing, for example while a disk is not mounted.
    package init(name: String, path: FilePath) {
        self.name = name
        self.path = path
    }
}

extension [OwnFolder] {
    /// The folder's name in the settings if it is one of these.
    package func name(of folder: FileStatus) -> String? {
        guard folder.kind == .folder else { return nil }
        return first { own in
            // The dot follows a symbolic link.
            (try? FileStatus(of: own.path.appending(".")).identity.node) == folder.identity.node
        }?.name
    }

    /// The mount points below the inbox that show one of these folders or one inside, with its name in the settings.
    package func mounts(below inbox: FilePath) -> [InboxPath: String] {
        let table = MountTable()
        let mounts = table.mounts(below: inbox)
        if mounts.isEmpty { return [:] }
        let places = compactMap { own in table.place(of: own.path).map { (own.name, $0) } }
        return Dictionary(
            mounts.compactMap { path, place in
                places.first { place.isInside($0.1) }.map { (InboxPath(bytes: path.bytes), $0.0) }
            }, uniquingKeysWith: { $1 })
    }
}
