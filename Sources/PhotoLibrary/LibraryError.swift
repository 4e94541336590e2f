import GRDB
import Glibc
import LinuxIO
import SQLiteDatabase
package import SystemPackage

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
        // It may be on a disk that is not mounted.
        if brokenLink(in: folder) != nil { return unusable(folder, .noSuchFileOrDirectory) }
        return LibraryError(.missing, "No stickerd data in \(folder); pass --state (after make run: --state state)")
    }

    /// It is no longer what the state folder has.
    static func replaced(_ folder: FilePath) -> LibraryError {
        LibraryError(
            .missing,
            "\(folder): the Library was removed or replaced while stickerd was running; its next start takes over the outbox"
        )
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
    ///
    /// - Parameters:
    ///   - folder: the state folder.
    ///   - error: the reason.
    ///   - user: who may not, if permissions are the cause.
    package static func unusable(_ folder: FilePath, _ error: Errno, by user: UInt32 = geteuid()) -> LibraryError {
        let isRefused = [.permissionDenied, .notPermitted].contains(error)
        let owner =
            isRefused ? places(in: folder).lazy.compactMap { Ownership.fix(for: $0.path, in: folder, user) }.first : nil
        let fix = owner ?? brokenLink(in: folder) ?? obstacle(in: folder)
        return LibraryError(.unreadable, "\(folder): the state folder cannot be used (\(error))", fix: fix)
    }

    /// The Library's folders and files, and what they have to be.
    private static func places(in folder: FilePath) -> [(path: FilePath, kind: FileKind)] {
        let own = LibraryFolder.path(in: folder)
        let files = [own.appending(Library.lockName)] + Library.file(in: own).files
        return [(own, .folder), (folder, .folder)] + files.map { ($0, .regular) }
    }

    /// One of them that leads to nothing, and what to do about it.
    private static func brokenLink(in folder: FilePath) -> String? {
        places(in: folder).first { (try? FileStatus(of: $0.path))?.kind == .link && LibraryFolder.isMissing($0.path) }
            .map { "the symbolic link \($0.path) leads to nothing; mount its disk, or remove the link" }
    }

    /// What is in the place of one of them, and what to do about it.
    private static func obstacle(in folder: FilePath) -> String? {
        places(in: folder).lazy.compactMap { path, wanted in
            // Links to folders are followed.
            guard let kind = (try? FileStatus(of: path))?.kind, kind != wanted, (kind, wanted) != (.link, .folder)
            else { return nil }
            return "\(path) is \(kind.rawValue), not \(wanted.rawValue); move it away"
        }.first
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
        var error = error
        // Nothing is written after this, so the locks that the reader's descriptors drop are not missed.
        if error.isDamage {
            do { try Library.requireReadable(in: LibraryFolder.path(in: folder)) } catch let refusal { error = refusal }
        }
        // Rolling back or finishing what a crashed process began needs write permission.
        let isUnfinished = [.SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY].contains(error.extendedResultCode)
        // Without a table, another program has emptied the file.
        let isDamaged = error.isDamage || error.resultCode == .SQLITE_ERROR
        let fix =
            if isDamaged {
                "it is damaged; stop stickerd and run stickerd verify --repair, which rebuilds it from the outbox"
            } else if isUnfinished {
                "stickerd did not exit cleanly; its next start repairs the Library"
            } else if error.resultCode == .SQLITE_FULL {
                "make room on its disk"
            } else if error.resultCode == .SQLITE_IOERR {
                // SQLite calls a used-up quota by the same name.
                "see what sudo dmesg says about its disk, and whether it is full or a quota is used up"
            } else {
                "if permissions are the cause, run the command as root or as the daemon's user"
            }
        return LibraryError(
            isDamaged ? .damaged : .unreadable,
            "\(folder): the Library cannot be used (\(error.message ?? "SQLite error"))", fix: fix)
    }

    init(_ code: Code, _ problem: String, fix: String? = nil) {
        self.code = code
        self.problem = problem
        self.fix = fix
        description = fix.map { "\(problem); \($0)" } ?? problem
    }
}
