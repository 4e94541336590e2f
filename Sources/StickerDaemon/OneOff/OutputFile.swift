import FileNames
import LinuxIO
package import SystemPackage

/// Writes the results of commands, which replace only what they are told to: another picture may have the name.
package enum OutputFile {
    /// Writes the file atomically, unless it is there with the same bytes.
    ///
    /// - Parameter overwrites: whether to replace any other file of that name.
    /// - Throws: `CommandFailure` if there is one, or `Errno`.
    package static func write(_ bytes: [UInt8], named name: String, in folder: FilePath, overwrites: Bool) throws {
        let path = folder.appending(name)
        if !overwrites, let status = try? FileStatus(of: path), status.kind != .folder {
            guard status.kind == .regular, status.identity.size == bytes.count,
                let file = try? RegularFile.open(path), let known = try? file.read(upTo: bytes.count), known == bytes
            else {
                throw CommandFailure(
                    "\(InboxPath(bytes: path.bytes)): is there with other contents; pass --overwrite to replace it")
            }
            return
        }
        try AtomicFile.write(bytes, named: name, in: folder)
    }
}
