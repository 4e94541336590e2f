import GRDB
import LinuxIO
import SQLiteDatabase
import SystemPackage

/// Why a Library cannot be used, or has no name left for a sticker. Later errors of SQLite are GRDB's `DatabaseError`.
package struct LibraryError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Another daemon holds the state folder.
        case inUse
        /// The Library was made for another outbox.
        case otherOutbox
        /// The Library was written by an older release.
        case older
        /// The Library was written by a newer release.
        case newer
        /// There is no Library in the folder yet.
        case missing
        /// The folder or the file cannot be opened.
        case unreadable
        /// The file is no database, or SQLite's check of it fails.
        case damaged
        /// Other stickers have every name that this one could have.
        case nameTaken
    }

    package let code: Code
    /// One line for a person.
    package let description: String
    /// The same without the fix, where that is known separately.
    package let problem: String
    package let fix: String?

    static func missing(_ folder: FilePath) -> LibraryError {
        LibraryError(.missing, "No stickerd data in \(folder); pass --state (after make run: --state state)")
    }

    /// Another process holds the lock.
    static func inUse(_ folder: FilePath) -> LibraryError {
        let holder = FileLock.holder(of: LibraryFolder.path(in: folder).appending(Library.lockName))
        let user = holder.map { "process \($0)" } ?? "another stickerd, of another user or in another container,"
        return LibraryError(.inUse, "\(folder): \(user) uses this state folder; stop it or choose another with --state")
    }

    /// This user may not read the Library, or not write to it.
    static func denied(_ folder: FilePath) -> LibraryError {
        LibraryError(.unreadable, "\(folder): Permission denied", fix: "use sudo")
    }

    /// The folder's files cannot be opened.
    static func unusable(_ folder: FilePath, _ error: Errno) -> LibraryError {
        let own = LibraryFolder.path(in: folder)
        let files = [own.appending(Library.lockName)] + Library.file(in: own).files
        let fix =
            ([own, folder] + files).lazy.compactMap { Ownership.fix(for: $0, in: folder) }.first
            ?? files.lazy.compactMap { file in
                (try? FileStatus(of: file).kind).flatMap { kind in
                    kind == .regular ? nil : "\(file) is \(kind.rawValue), not a regular file; remove it"
                }
            }.first
        return LibraryError(.unreadable, "\(folder): the state folder cannot be used (\(error))", fix: fix)
    }

    /// From the errors of opening and reading a Library; others stay as they are.
    static func explaining(_ error: any Error, of folder: FilePath) -> any Error {
        switch error {
        case let error as DatabaseError: unreadable(folder, error)
        case let error as Errno: unusable(folder, error)
        default: error
        }
    }

    private static func unreadable(_ folder: FilePath, _ error: DatabaseError) -> LibraryError {
        // Rolling back or finishing what a crashed process began needs write permission.
        let isUnfinished = [.SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY].contains(error.extendedResultCode)
        let fix =
            if error.isDamage {
                "it is damaged; stop stickerd and run stickerd verify --repair, which rebuilds it from the outbox"
            } else if isUnfinished {
                "stickerd did not exit cleanly; its next start repairs the Library"
            } else {
                "if permissions are the cause, run the command as root or as the daemon's user"
            }
        return LibraryError(
            error.isDamage ? .damaged : .unreadable,
            "\(folder): the Library cannot be used (\(error.message ?? "SQLite error"))", fix: fix)
    }

    init(_ code: Code, _ problem: String, fix: String? = nil) {
        self.code = code
        self.problem = problem
        self.fix = fix
        description = fix.map { "\(problem); \($0)" } ?? problem
    }
}
