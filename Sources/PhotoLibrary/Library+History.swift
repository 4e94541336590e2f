package import FileNames
package import Foundation
import GRDB
import PhotoRule
import SQLiteDatabase

/// Deletes old rows: of files that left the inbox long ago, and of ignored files once the rules have changed.
extension Library {
    /// The key of the highest arrival number among deleted rows; a trigger maintains the value.
    private static let lastArrivalKey = "lastArrival"

    private static let marksKey = "historyMarks"

    /// Records that the daemon has run for some time, and returns a time before which history is older than `days`,
    /// whatever the wall clock may have shown for a while (`HistoryMarks`); nil if none is.
    ///
    /// - Parameters:
    ///   - days: for how long history is kept.
    ///   - now: by the wall clock.
    ///   - time: since the last call, by a clock that is never set.
    package func historyLimit(days: Int, at now: Date, after time: Duration) async throws -> Date? {
        try await database.write { database in
            let text = try Self.meta(Self.marksKey, in: database) ?? ""
            var marks = (try? JSONDecoder().decode(HistoryMarks.self, from: Data(text.utf8))) ?? HistoryMarks()
            let limit = marks.advance(by: time / .seconds(1), to: now, age: Double(days) * 86_400)
            try Self.setMeta(
                Self.marksKey, String(decoding: try JSONEncoder().encode(marks), as: UTF8.self), in: database)
            return limit
        }
    }

    /// The most rows changed in one transaction, for changes that may affect every photo.
    static let batch = 500

    /// Deletes the rows of files that left the inbox before `date`, with their attempts and moves. Their photos'
    /// results stay, so that photos with a sticker are recognized when they come in again. Photos in the folder of
    /// failed photos (`OriginalsMode.Action.moveToFailed`) keep their rows: `stickerd retry` finds them by these.
    ///
    /// - Returns: how many rows were deleted, at most `limit`; call again until it is 0.
    package func forgetHistory(before date: Date, limit: Int) async throws -> Int {
        try await database.write { database in
            let files = try FileRecord.fetchAll(
                database,
                sql: """
                    SELECT * FROM file WHERE leftAt < ? AND state NOT IN ('pending', 'processing')
                        AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival
                            AND action = 'setAside' AND outcome = 'moved')
                    ORDER BY leftAt LIMIT ?
                    """, arguments: [date, limit])
            try files.move(.forget, in: database)
            try database.execute(
                sql: """
                    UPDATE stay SET leftSince = NULL, leftAt = NULL, leftUnder = NULL, leftFile = NULL, isRename = NULL
                    WHERE (photo, pack) IN (SELECT photo, pack FROM stay WHERE leftAt < ? ORDER BY leftAt LIMIT ?)
                    """, arguments: [date, limit])
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

    /// The highest arrival number so far. Includes those of deleted rows, because their stickers may still have them.
    static func lastArrival(in database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(database, cached: "SELECT MAX(arrival) FROM file") ?? 0
        return max(known, try meta(lastArrivalKey, in: database).flatMap { Int64($0) } ?? 0)
    }

    /// Adopts the rules for names to ignore. If they differ from those of the last call, ignored files are forgotten,
    /// so that the Inbox checks them again, and files in the inbox that are to be ignored now leave it as if others had
    /// removed them. Their originals stay where they are.
    ///
    /// - Parameters:
    ///   - rules: text that is equal for equal rules.
    ///   - isIgnored: whether the rules ignore this file.
    ///   - progress: called before each batch.
    /// - Returns: as `forget`.
    @discardableResult
    package func adoptIgnoreRules(
        _ rules: String, isIgnored: @escaping @Sendable (InboxPath) -> Bool, progress: @Sendable () -> Void = {}
    ) async throws -> [InboxPath] {
        guard try await database.read({ try Self.meta("ignoreRules", in: $0)?.isExactly(rules) != true }) else {
            return []
        }
        var unfinished: [InboxPath] = []
        var last: Int64? = 0
        while let start = last {
            progress()
            let batch = try await database.write { database in
                let files = try FileRecord.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM file
                        WHERE id > ? AND leftAt IS NULL ORDER BY id LIMIT ?
                        """, arguments: [start, Self.batch])
                try files.filter { $0.state == .ignored && $0.reason != Self.dismissal }.move(.forget, in: database)
                let ignored = files.filter { $0.state != .ignored && !$0.isElsewhere && isIgnored($0.path) }
                for file in ignored { _ = try Self.dropPlan(of: file, in: database) }
                return (files.last?.id, try self.forget(ignored, .ignored, in: database))
            }
            last = batch.0
            unfinished += announce(batch.1)
        }
        try await database.write { try Self.setMeta("ignoreRules", rules, in: $0) }
        return unfinished
    }
}
