import GRDB
import SystemPackage

/// Why a Library cannot be used at all, or has no name left for a sticker. Later errors of SQLite are GRDB's
/// `DatabaseError`.
package struct LibraryError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Another daemon holds the state folder.
        case inUse
        /// The Library was made for another outbox.
        case otherOutbox
        /// The Library was written by a newer release.
        case newer
        /// There is no Library in the folder yet.
        case missing
        /// The folder or the file cannot be opened.
        case unreadable
        /// Other stickers have every name that one could have.
        case nameTaken
    }

    package let code: Code
    /// One line for a person.
    package let description: String

    static func missing(_ folder: FilePath) -> LibraryError {
        LibraryError(.missing, "\(folder): no Library here; is this the state folder of a stickerd?")
    }

    static func unreadable(_ folder: FilePath, _ error: DatabaseError) -> LibraryError {
        // Only a process that may write can roll back or finish what a crashed one had begun.
        let isUnfinished = [.SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY].contains(error.extendedResultCode)
        let fix =
            isUnfinished
            ? "stickerd did not exit cleanly; its next start repairs the Library"
            : "is this user in the group of the one that stickerd runs as?"
        return LibraryError(
            .unreadable, "\(folder): the Library cannot be used (\(error.message ?? "SQLite error")); \(fix)")
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
