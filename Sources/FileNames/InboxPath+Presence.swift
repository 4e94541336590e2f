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
}
