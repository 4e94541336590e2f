package import LinuxIO
package import SystemPackage

/// Whether a file is in the inbox: below it, and reached without following links. Everything that asks uses this,
/// because a photo is opened in the same way.
extension InboxPath {
    /// The status of what has this path in the inbox.
    ///
    /// - Parameter inbox: may itself be a link.
    /// - Throws: if there is nothing, if a link is in its way, or if it cannot be seen.
    package func status(in inbox: FilePath) throws(Errno) -> FileStatus {
        let root = try OwnedDescriptor(opening: inbox, options: .directory)
        return try FileStatus(of: bytes, beneath: root.raw)
    }

    /// Whether no file has this path any more: there is nothing, a link leads there, or a folder took the name. What
    /// cannot be seen is not gone. A link, pipe or socket in its place is recorded as a new, ignored file.
    package func isGone(from inbox: FilePath) -> Bool {
        do throws(Errno) {
            return try status(in: inbox).kind == .folder
        } catch {
            return [.noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels].contains(error)
        }
    }

    /// Whether this path leads to a file or folder only because its file system ignores letter case, as FAT, exFAT and
    /// many network shares do: no folder lists its names. Reads folders only if the same path in the other case leads
    /// somewhere, too.
    package func isAlias(in inbox: FilePath) throws(Errno) -> Bool {
        var folder = try OwnedDescriptor(opening: inbox, options: .directory)
        let other = bytes.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF) ? byte ^ 0x20 : byte
        }
        guard other != bytes, (try? FileStatus(of: other, beneath: folder.raw)) != nil else { return false }
        let names = bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        for (index, name) in names.enumerated() {
            let entries = try DirectoryScan.entries(of: folder.raw)
            guard entries.contains(where: { $0.name == name }) else { return true }
            if index + 1 < names.count {
                folder = try OwnedDescriptor(opening: name, in: folder.raw, options: .directory)
            }
        }
        return false
    }
}
