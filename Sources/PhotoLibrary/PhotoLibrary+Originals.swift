package import Foundation
import GRDB
import LinuxIO
package import SystemPackage

/// What becomes of the files in the inbox: intended first, then done, then written down as done.
extension PhotoLibrary {
    /// Part of the transaction that ends the work on the file.
    static func intend(
        _ mode: OriginalsMode, _ state: FileState, reason: String?, file: Int64, in database: Database
    ) throws {
        guard let action = mode.action(for: state) else { return }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO original
                    (file, arrival, path, device, inode, size, modified, action, reason, decided)
                SELECT id, arrival, path, device, inode, size, modified, ?, ?, ? FROM file WHERE id = ?
                """, arguments: [action.rawValue, reason, Date(), file])
    }

    /// Originals that are still to be moved or removed, those tried last at the end.
    ///
    /// - Parameter time: those tried since then are left out, but not those of the future: the clock was set back.
    package func dueOriginals(notTriedSince time: Date, limit: Int) async throws -> [Original] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM original WHERE finished IS NULL AND (tried IS NULL OR tried NOT BETWEEN ? AND ?)
                    ORDER BY tried, file LIMIT ?
                    """, arguments: [time, Date(), limit])
            return rows.compactMap(Original.init(row:))
        }
    }

    /// Writes down where a file goes, before it goes there.
    package func book(_ target: FilePath, for original: Original) async throws {
        let text = InboxPath(bytes: target.bytes).description
        try await database.write { database in
            try database.execute(
                sql: "UPDATE original SET target = ? WHERE file = ? AND arrival = ?",
                arguments: [text, original.file, original.arrival])
        }
    }

    /// It could not be done just now.
    package func postpone(_ original: Original) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE original SET tried = ? WHERE file = ? AND arrival = ?",
                arguments: [Date(), original.file, original.arrival])
        }
    }

    /// It is done.
    package func settle(_ original: Original, as outcome: Original.Outcome) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE original SET finished = ?, outcome = ? WHERE file = ? AND arrival = ?",
                arguments: [Date(), outcome.rawValue, original.file, original.arrival])
        }
    }

    /// Where the photo of a claimed file is now that it has been moved out of the inbox, and its SHA-256.
    package func location(of claim: Claim) async throws -> (path: FilePath, photo: String)? {
        try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT target, photo FROM original JOIN file ON id = original.file AND file.arrival = original.arrival
                    WHERE original.file = ? AND original.arrival = ? AND outcome = ? AND photo IS NOT NULL
                    """, arguments: [claim.file, claim.arrival, Original.Outcome.moved.rawValue])
            guard let row, let target = row["target"] as String?, let path = InboxPath(escaped: target) else {
                return nil
            }
            return (FilePath(bytes: path.bytes), row["photo"])
        }
    }
}
