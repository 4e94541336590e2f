import Foundation
import GRDB

/// What is put right when a daemon starts.
extension PhotoLibrary {
    /// What is said of a photo that was alone in hand each time.
    package static let deathReason = "stickerd ended \(maxDeaths) times while this photo alone was in hand"

    /// Files that were in hand when the last daemon ended go back to the queue, to be tried alone: the one that was in
    /// hand alone behind all others, and set aside and returned when that happened `maxDeaths` times; several at their
    /// place, uncounted, so that the guilty one shows.
    ///
    /// - Parameter originals: what becomes of the file that is set aside.
    package func recover(originals: OriginalsMode = .keep) async throws -> [InboxPath] {
        try await database.write { database in
            let inHand = try Row.fetchAll(
                database, sql: "SELECT id, path, arrival FROM file WHERE state = 'processing' ORDER BY arrival")
            try database.execute(
                sql: "UPDATE file SET state = 'pending', stateSince = ? WHERE state = 'processing'",
                arguments: [Date()])
            try database.execute(
                sql: """
                    UPDATE attempt SET finished = ?, outcome = 'ended with stickerd', detail = ? WHERE finished IS NULL
                    """, arguments: [Date(), inHand.count == 1 ? "alone in hand" : "in hand with others"])
            guard inHand.count == 1, let row = inHand.first else {
                for row in inHand { try Self.suspectInPlace(row["id"], arrival: row["arrival"], in: database) }
                return []
            }
            guard try Self.deaths(of: row["id"], arrival: row["arrival"], in: database) + 1 >= Self.maxDeaths else {
                try Self.countDeath(of: row["id"], arrival: row["arrival"], in: database)
                return []
            }
            try database.execute(
                sql: "UPDATE file SET state = 'failed', reason = ?, attempts = 0, stateSince = ? WHERE id = ?",
                arguments: [Self.deathReason, Date(), row["id"]])
            try database.execute(sql: "DELETE FROM suspect WHERE file = ?", arguments: [row["id"]])
            try Self.intend(originals, .failed, reason: Self.deathReason, file: row["id"], in: database)
            return [InboxPath(escaped: row["path"])].compactMap(\.self)
        }
    }

    /// Puts every file that is in hand back to its place in the queue, as if it had not been taken: the process is about
    /// to end.
    package func releaseAll() async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = attempts - 1, stateSince = ?
                    WHERE state = 'processing'
                    """, arguments: [Date()])
            try database.execute(
                sql: "UPDATE attempt SET finished = ?, outcome = 'released' WHERE finished IS NULL",
                arguments: [Date()])
        }
    }

    /// Files that were ignored are looked at anew when the rules for that are no longer those of the last start.
    ///
    /// - Parameter rules: stands for all that decides whether a file is ignored.
    package func adoptIgnoreRules(_ rules: String) async throws {
        try await database.write { database in
            guard try Self.meta("ignoreRules", in: database) != rules else { return }
            try database.execute(sql: "DELETE FROM file WHERE state = 'ignored'")
            try Self.setMeta("ignoreRules", rules, in: database)
        }
    }

    /// The names of all stickers that should be in a pack's folder.
    package func publishedFiles(ofPack pack: String) async throws -> Set<String> {
        try await database.read { database in
            try Set(
                String.fetchCursor(
                    database, sql: "SELECT file FROM sticker WHERE pack = ? AND published", arguments: [pack]))
        }
    }

    /// The names of their thumbnails.
    package func publishedThumbnails(ofPack pack: String) async throws -> Set<String> {
        try await database.read { database in
            try Set(
                String.fetchCursor(
                    database,
                    sql: "SELECT thumbnail FROM sticker WHERE pack = ? AND published AND thumbnail IS NOT NULL",
                    arguments: [pack]))
        }
    }

    /// Of a row of `file`: it was removed from the inbox here, or found gone when it was to be.
    private static let isGoneForGood = """
        EXISTS (SELECT 1 FROM original
            WHERE file = file.id AND arrival = file.arrival AND outcome IN ('removed', 'gone'))
        """

    /// Thumbnails that are gone from the outbox: their stickers stay in the pack without one until they have been made
    /// again. Returns how many photos are waiting for that.
    package func remake(thumbnails: Set<String>, inPack pack: String) async throws -> Int {
        let count = try await database.write { database in
            var count = 0
            for thumbnail in thumbnails.sorted() {
                try database.execute(
                    sql: """
                        UPDATE file SET state = 'pending', attempts = 0, reason = NULL, stateSince = ?
                        WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                            (SELECT photo FROM sticker WHERE pack = ? AND thumbnail = ?)
                            AND NOT \(Self.isGoneForGood)
                        """, arguments: [Date(), pack, pack, thumbnail])
                if database.changesCount > 0 { count += 1 }
                try database.execute(
                    sql: "UPDATE sticker SET stale = 1, thumbnail = NULL WHERE pack = ? AND thumbnail = ?",
                    arguments: [pack, thumbnail])
            }
            return count
        }
        markChanged([pack])
        return count
    }

    /// Stickers that are gone from the outbox: out of the pack, and their photos go back to the queue where the inbox
    /// still has a file with that photo, under whichever name. The place in the pack is kept. Returns how many photos
    /// are waiting again.
    package func remake(_ files: Set<String>, inPack pack: String) async throws -> Int {
        let count = try await database.write { database in
            var count = 0
            for file in files.sorted() where try Self.remake(file, inPack: pack, in: database) { count += 1 }
            return count
        }
        markChanged([pack])
        return count
    }

    /// True where its photo is waiting again.
    static func remake(_ file: String, inPack pack: String, in database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE sticker SET published = 0 WHERE pack = ? AND file = ?", arguments: [pack, file])
        try database.execute(
            sql: """
                UPDATE file SET state = 'pending', attempts = 0, reason = NULL, stateSince = ?
                WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                    (SELECT photo FROM sticker WHERE pack = ? AND file = ?)
                    AND NOT \(isGoneForGood)
                """, arguments: [Date(), pack, pack, file])
        return database.changesCount > 0
    }
}
