package import Foundation
import GRDB

/// How long the Library remembers files that left the inbox.
extension PhotoLibrary {
    /// The key of the highest arrival number of a deleted row; a trigger maintains the value.
    private static let lastArrivalKey = "lastArrival"

    /// Deletes the rows of files that left the inbox before `date`, with their attempts and moves. Their photos'
    /// results stay, so photos with a sticker are recognised when they come in again. Photos in the folder of failed
    /// photos keep their rows, because `stickerd retry` finds them by these.
    ///
    /// - Parameter limit: the most rows deleted in one call; call again until it returns 0.
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
                // The key may be reused for another file.
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

    /// The highest arrival number so far, including those of deleted rows: their stickers may still have them, and
    /// numbers are never reused.
    static func lastArrival(in database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(database, sql: "SELECT MAX(arrival) FROM file") ?? 0
        return max(known, try meta(lastArrivalKey, in: database).flatMap { Int64($0) } ?? 0)
    }
}
