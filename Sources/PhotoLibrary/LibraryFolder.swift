import Glibc
import LinuxIO
import SystemPackage

/// The folder inside the state folder that has the Library, SQLite's other files and the lock. Only its owner may
/// enter: a user who can read these files can lock them, and the state folder is open to others, because the inbox and
/// the outbox may be in it.
enum LibraryFolder {
    private static let name = "library"

    static func path(in state: FilePath) -> FilePath { state.appending(name) }

    /// The Library's file, which may be read, and written if `access` says so.
    ///
    /// - Throws: `LibraryError` if there is none, or if this user may not use it.
    static func file(in state: FilePath, _ access: Int32 = R_OK) throws -> FilePath {
        let file = path(in: state).appending(Library.fileName)
        guard !isMissing(file) else { throw LibraryError.missing(state) }
        // The string outlives the call.
        guard unsafe Glibc.access(file.string, access) == 0 || errno != EACCES else { throw LibraryError.denied(state) }
        return file
    }

    /// False also if this user may not look.
    static func isMissing(_ path: FilePath) -> Bool {
        // The string outlives the call.
        unsafe access(path.string, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// Makes the folder, or closes an open one to other users.
    static func make(in state: FilePath) throws(Errno) -> FilePath {
        let own = path(in: state)
        try FolderTree.make(at: own, mode: .ownerReadWriteExecute)
        try PrivateFolder.closeToOthers(try OwnedDescriptor(opening: own, options: .directory))
        return own
    }
}
