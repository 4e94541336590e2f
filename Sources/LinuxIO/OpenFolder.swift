package import SystemPackage

/// An open folder. Changes go to the disk that it is on, even if that is unmounted meanwhile and the path leads to its
/// mount point.
package final class OpenFolder: Sendable {
    /// Owned; borrow its number while this object lives.
    package let descriptor: OwnedDescriptor
    /// The path by which it was opened.
    package let path: FilePath
    private let node: FileNode

    /// Takes ownership of the descriptor of the folder that `path`, for messages, leads to.
    ///
    /// - Throws: `Errno` if it cannot be asked for its status.
    package init(_ descriptor: consuming OwnedDescriptor, path: FilePath) throws(Errno) {
        node = try FileStatus(ofDescriptor: descriptor.raw).identity.node
        self.descriptor = descriptor
        self.path = path
    }

    /// Follows symbolic links.
    package convenience init(at path: FilePath) throws(Errno) {
        try self.init(try OwnedDescriptor(opening: path, options: .directory), path: path)
    }

    /// Whether its path still leads to it. Costs one system call.
    package var isInPlace: Bool {
        // The dot follows a link.
        (try? FileStatus(of: path.appending(".")))?.identity.node == node
    }

    /// Opens a folder in it; follows symbolic links.
    ///
    /// - Throws: `noSuchFileOrDirectory` if there is none.
    package func subfolder(_ name: String) throws(Errno) -> OpenFolder {
        // Opening does not follow a link in the last component, so that is a dot.
        let open = try OwnedDescriptor(opening: Array("\(name)/.".utf8), in: descriptor.raw, options: .directory)
        return try OpenFolder(open, path: path.appending(name))
    }

    /// The same, but makes a missing folder durably.
    package func madeSubfolder(_ name: String) throws(Errno) -> OpenFolder {
        try FolderTree.make(Array(name.utf8), in: descriptor.raw)
        return try subfolder(name)
    }
}
