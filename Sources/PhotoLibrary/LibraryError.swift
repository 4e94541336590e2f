import GRDB
import SystemPackage

/// Why a Library cannot be used at all, or has no name left for a sticker. What goes wrong later inside SQLite is
/// thrown as GRDB's `DatabaseError`.
package struct LibraryError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Equatable {
        private enum Value: Sendable { case inUse, otherOutbox, newer, missing, unreadable, nameTaken }
        private let value: Value

        /// Another daemon holds the state folder.
        package static let inUse = Code(value: .inUse)
        /// The Library was made for another outbox.
        package static let otherOutbox = Code(value: .otherOutbox)
        /// The Library was written by a newer release.
        package static let newer = Code(value: .newer)
        /// There is no Library in the folder yet.
        package static let missing = Code(value: .missing)
        /// The folder or the file cannot be opened.
        package static let unreadable = Code(value: .unreadable)
        /// Other stickers have every name that one could have.
        package static let nameTaken = Code(value: .nameTaken)
    }

    package let code: Code
    /// One line for a person.
    package let description: String

    static func missing(_ folder: FilePath) -> LibraryError {
        LibraryError(.missing, "\(folder): no Library here; is this the state folder of a stickerd?")
    }

    static func unreadable(_ folder: FilePath, _ error: DatabaseError) -> LibraryError {
        // Only who may write can undo or finish what a process that did not end well had begun.
        let isUnfinished = [.SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY].contains(error.extendedResultCode)
        let cure =
            isUnfinished
            ? "stickerd did not end well; the next start of it puts that right"
            : "is this user in the group of the one that stickerd runs as?"
        return LibraryError(
            .unreadable, "\(folder): the Library cannot be used (\(error.message ?? "SQLite error")); \(cure)")
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
