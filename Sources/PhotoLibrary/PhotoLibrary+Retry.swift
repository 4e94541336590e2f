import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// Trying again what failed.
extension PhotoLibrary {
    /// What there is to try again, and whom to tell.
    package struct Retry: Sendable {
        /// Files that are waiting now.
        package var waiting = 0
        /// Photos that were moved out of the inbox, to be put back by the caller: where they are, and their paths.
        package var toPutBack: [(from: FilePath, path: InboxPath)] = []
        /// Names that nothing can be tried with, and why.
        package var refused: [String] = []
        /// The process to wake, where a daemon is running.
        package var daemon: ProcessIdentity?
    }

    /// Puts photos that failed, or that no subject was found in, back into the queue, with the daemon of this state
    /// folder running or not. What they did before is forgotten.
    ///
    /// - Parameter names: escaped paths in the inbox; nil for all that failed.
    /// - Throws: `LibraryError` where there is no Library that can be written.
    package static func requestRetry(in folder: FilePath, of names: [String]?) throws -> Retry {
        try writing(in: folder) { database in
            var retry = Retry()
            retry.daemon = try daemon(of: folder, in: database)
            let failed = "SELECT path FROM file WHERE state = 'failed' ORDER BY arrival"
            for name in try names ?? String.fetchAll(database, sql: failed) {
                try request(name, in: database, &retry)
            }
            return retry
        }
    }

    private static func request(_ name: String, in database: Database, _ retry: inout Retry) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT id, file.path, state, target, outcome FROM file
                LEFT JOIN original ON original.file = id AND original.arrival = file.arrival WHERE file.path = ?
                """, arguments: [name])
        let original = try Row.fetchOne(
            database,
            sql: """
                SELECT original.* FROM original JOIN file ON id = file AND file.arrival = original.arrival
                WHERE file.path = ? AND finished IS NULL
                """, arguments: [name]
        ).flatMap(Original.init(row:))
        guard let row, let path = InboxPath(escaped: row["path"]) else {
            return retry.refused.append("\(name): no such photo has come in")
        }
        guard ["failed", "noSubject"].contains(row["state"] as String) else {
            return retry.refused.append("\(name): nothing to try again, it is \(row["state"] as String)")
        }
        if (row["outcome"] as String?) == Original.Outcome.moved.rawValue,
            let target = InboxPath(escaped: row["target"])
        {
            return retry.toPutBack.append((FilePath(bytes: target.bytes), path))
        }
        let file: Int64 = row["id"]
        // It is there already, though nobody has written that down yet. Whoever comes to do so is late.
        if let original, let target = original.target, let status = try? FileStatus(of: target),
            original.hasContents(of: status)
        {
            try database.execute(
                sql: "UPDATE original SET finished = ?, outcome = ? WHERE file = ? AND arrival = ?",
                arguments: [Date(), Original.Outcome.moved.rawValue, file, original.arrival])
            return retry.toPutBack.append((target, path))
        }
        try database.execute(sql: "DELETE FROM original WHERE file = ? AND finished IS NULL", arguments: [file])
        try database.execute(sql: "DELETE FROM suspect WHERE file = ?", arguments: [file])
        try database.execute(
            sql: "UPDATE file SET state = 'pending', attempts = 0, reason = NULL, stateSince = ? WHERE id = ?",
            arguments: [Date(), file])
        retry.waiting += 1
    }

    /// One transaction on the Library of a daemon that may be running.
    static func writing<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        guard OwnedDescriptor.exists(folder.appending(fileName)) else { throw LibraryError.missing(folder) }
        do {
            return try connect(to: folder).write(work)
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }
}
