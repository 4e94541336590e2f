package import Foundation
import GRDB

/// How long the Library remembers files that left the inbox.
extension PhotoLibrary {
    /// The greatest number in the order of arrival that a deleted row had; a trigger keeps it.
    private static let lastArrivalKey = "lastArrival"

    /// Deletes the rows of files that left the inbox before `date`, with their attempts and moves. What was made of their
    /// photos stays: photos with a sticker are recognised when they come in again. Photos that lie in the folder of
    /// failed photos keep their rows, from which `stickerd retry` knows where they are.
    ///
    /// - Parameter limit: rows deleted in one call at most; call again until it returns 0.
    /// - Returns: how many were deleted.
    package func forgetHistory(before date: Date, limit: Int) async throws -> Int {
        try await database.write { database in
            let files = try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM file WHERE leftAt < ? AND state NOT IN ('pending', 'processing')
                        AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival
                            AND action = 'setAside' AND outcome = 'moved')
                    ORDER BY leftAt LIMIT ?
                    """, arguments: [date, limit])
            for file in files {
                // Another file may get this key one day.
                try database.execute(sql: "UPDATE sticker SET source = 0 WHERE source = ?", arguments: [file])
                try database.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [file])
            }
            guard files.count < limit else { return files.count }
            try database.execute(
                sql: """
                    DELETE FROM original WHERE (file, arrival) IN (
                        SELECT file, arrival FROM original WHERE finished < ? AND NOT EXISTS (
                            SELECT 1 FROM file WHERE id = original.file AND file.arrival = original.arrival)
                        ORDER BY finished LIMIT ?)
                    """, arguments: [date, limit - files.count])
            return files.count + database.changesCount
        }
    }

    /// The greatest number in the order of arrival so far, those of deleted rows included: their stickers may still have
    /// them, and no number is given out twice.
    static func lastArrival(in database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(database, sql: "SELECT MAX(arrival) FROM file") ?? 0
        return max(known, try meta(lastArrivalKey, in: database).flatMap { Int64($0) } ?? 0)
    }
}
