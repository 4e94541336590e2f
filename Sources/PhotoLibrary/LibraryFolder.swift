import Glibc
import LinuxIO
import SystemPackage

/// The folder inside the state folder that has the Library, SQLite's other files and the lock. Only its owner may enter:
/// a user who can read these files can lock them, and the state folder is open to others, because the inbox and the outbox
/// may be in it.
enum LibraryFolder {
    private static let name = "library"
    private static let formerPrefix = Array("library.".utf8)

    static func path(in state: FilePath) -> FilePath { state.appending(name) }

    /// Where to look for a Library without changing anything: until its next start, the daemon of an earlier release has
    /// it in the state folder itself.
    static func current(in state: FilePath) -> FilePath {
        let own = path(in: state)
        return isMissing(own) && !isMissing(state.appending(PhotoLibrary.fileName)) ? state : own
    }

    /// The Library's file, which may be read, and written if `access` says so.
    ///
    /// - Throws: `LibraryError` if there is none, or if this user may not use it.
    static func file(in state: FilePath, _ access: Int32 = R_OK) throws -> FilePath {
        let file = current(in: state).appending(PhotoLibrary.fileName)
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

    /// Moves what an earlier release left in the state folder into `own`, whose lock is held. After a crash the next start
    /// moves the rest: SQLite's other files are first, so that none has lost the Library's file.
    ///
    /// - Throws: `Errno.wouldBlock` if the daemon of that release runs.
    static func moveFormer(from state: FilePath, to own: FilePath) throws(Errno) {
        let library = PhotoLibrary.fileName
        guard isMissing(own.appending(library)), !isMissing(state.appending(library)) else { return }
        let lock = try FileLock(at: state.appending(PhotoLibrary.lockName))
        let source = try OwnedDescriptor(opening: state, options: .directory)
        let target = try OwnedDescriptor(opening: own, options: .directory)
        var names: [[UInt8]] = []
        var scan = try DirectoryScan(of: source.raw)
        while let entry = try scan.next() {
            if entry.kind == .regular, entry.name.starts(with: formerPrefix) { names.append(entry.name) }
        }
        let (file, lockName) = (Array(library.utf8), Array(PhotoLibrary.lockName.utf8))
        try AtomicFile.move(names.filter { $0 != file && $0 != lockName }, from: source, to: target)
        try AtomicFile.move([file], from: source, to: target)
        try AtomicFile.remove([PhotoLibrary.lockName], in: source)
        _ = consume lock
    }
}
