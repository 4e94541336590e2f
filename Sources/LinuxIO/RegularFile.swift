package import SystemPackage

/// Reads files in whose place another program may have put something else, such as a pipe that never ends.
package enum RegularFile {
    /// The whole contents of a file. Follows symbolic links, unless `options` has `noFollow`.
    ///
    /// - Throws: `fileTooLarge` if it has more bytes, `invalidArgument` if it is not a regular file.
    package static func contents(
        of path: FilePath, upTo limit: Int, options: FileDescriptor.OpenOptions = []
    ) throws(Errno) -> [UInt8] {
        try contents(of: try open(path, options: options), upTo: limit)
    }

    /// The same of a file below an open folder, without following any symbolic link.
    package static func contents(
        of path: String, beneath folder: borrowing OwnedDescriptor, upTo limit: Int
    ) throws(Errno) -> [UInt8] {
        try contents(of: try open(path, beneath: folder), upTo: limit)
    }

    private static func contents(of file: consuming OwnedDescriptor, upTo limit: Int) throws(Errno) -> [UInt8] {
        let size = try FileStatus(ofDescriptor: file.raw).identity.size
        guard size <= limit else { throw .fileTooLarge }
        return try file.read(upTo: Int(size))
    }

    /// An open regular file.
    ///
    /// - Throws: `invalidArgument` if it is not a regular file.
    package static func open(
        _ path: FilePath, options: FileDescriptor.OpenOptions = []
    ) throws(Errno) -> OwnedDescriptor {
        // Without this, opening a pipe waits for its writer.
        try regular(try OwnedDescriptor(opening: path, options: options.union(.nonBlocking)))
    }

    /// The same below an open folder, without following any symbolic link.
    package static func open(
        _ path: String, beneath folder: borrowing OwnedDescriptor
    ) throws(Errno) -> OwnedDescriptor {
        try regular(try OwnedDescriptor(opening: Array(path.utf8), beneath: folder.raw))
    }

    private static func regular(_ file: consuming OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
        guard try FileStatus(ofDescriptor: file.raw).kind == .regular else { throw .invalidArgument }
        return file
    }
}
