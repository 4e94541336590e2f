import Foundation
import GRDB

/// What is put right when a daemon starts.
extension PhotoLibrary {
    /// What is said of a photo that was alone in hand each time.
    package static let deathReason = "stickerd ended \(maxDeaths) times while this photo alone was in hand"

    /// Releases the files that were in progress when the last daemon ended, to be tried alone. A file that was in
    /// progress alone goes to the end of the queue; when that has happened `maxDeaths` times, it fails and is returned.
    /// Several files keep their places, uncounted, to find the suspect. After a requested stop all files keep their
    /// places, uncounted: not being finished in time makes no file a suspect.
    ///
    /// - Parameter originals: what becomes of the file that is set aside.
    package func recover(originals: OriginalsMode = .keep) async throws -> [InboxPath] {
        try await database.write { database in
            if try Self.meta(Self.stopKey, in: database) != nil {
                try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [Self.stopKey])
                try Self.releaseAll(in: database)
                return []
            }
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
        try await database.write { try Self.releaseAll(in: $0) }
    }

    private static func releaseAll(in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE file SET state = 'pending', attempts = attempts - 1, stateSince = ?
                WHERE state = 'processing'
                """, arguments: [Date()])
        try database.execute(
            sql: "UPDATE attempt SET finished = ?, outcome = 'released' WHERE finished IS NULL",
            arguments: [Date()])
    }

    /// Records that the daemon was asked to stop. If it is killed before its photos are finished (systemd does this
    /// after TimeoutStopSec), the next start counts that against none of them.
    package func recordStop() async throws {
        try await database.write { try Self.setMeta(Self.stopKey, "1", in: $0) }
    }

    private static let stopKey = "stopRequested"

    /// Files that were ignored are looked at anew when the rules for that are no longer those of the last start.
    ///
    /// - Parameter rules: stands for all that decides whether a file is ignored.
    package func adoptIgnoreRules(_ rules: String, progress: @Sendable () -> Void = {}) async throws {
        guard try await database.read({ try Self.meta("ignoreRules", in: $0)?.isExactly(rules) != true }) else {
            return
        }
        var last: Int64? = 0
        while let start = last {
            progress()
            last = try await database.write { database in
                let ignored = try Int64.fetchAll(
                    database, sql: "SELECT id FROM file WHERE state = 'ignored' AND id > ? ORDER BY id LIMIT ?",
                    arguments: [start, Self.batch])
                for file in ignored { try database.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [file]) }
                return ignored.last
            }
        }
        try await database.write { try Self.setMeta("ignoreRules", rules, in: $0) }
    }

    /// The most rows changed in one transaction, for changes that may affect every photo.
    static let batch = 500

    /// The names of all stickers that should be in a pack's folder.
    package func publishedFiles(ofPack pack: String) async throws -> Set<ExactName> {
        try await database.read { database in
            try Set(
                String.fetchCursor(
                    database, sql: "SELECT file FROM sticker WHERE pack = ? AND published", arguments: [pack]
                ).map { ExactName($0) })
        }
    }

    /// The names of their thumbnails.
    package func publishedThumbnails(ofPack pack: String) async throws -> Set<ExactName> {
        try await database.read { database in
            try Set(
                String.fetchCursor(
                    database,
                    sql: "SELECT thumbnail FROM sticker WHERE pack = ? AND published AND thumbnail IS NOT NULL",
                    arguments: [pack]
                ).map { ExactName($0) })
        }
    }

    /// A condition on a row of `file`: stickerd removed the file, or found it gone when about to.
    private static let isGoneForGood = """
        EXISTS (SELECT 1 FROM original
            WHERE file = file.id AND arrival = file.arrival AND outcome IN ('removed', 'gone'))
        """

    /// Thumbnails that are gone from the outbox: their stickers stay in the pack without one until they have been made
    /// again. Returns how many photos are waiting for that.
    ///
    /// Works in batches, so that other calls run in between; after a stop the next audit finds the rest.
    package func remake(thumbnails: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(thumbnails, ofPack: pack) { thumbnail, database in
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = 0, reason = NULL, stateSince = ?
                    WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                        (SELECT photo FROM sticker WHERE pack = ? AND thumbnail = ?)
                        AND NOT \(Self.isGoneForGood)
                    """, arguments: [Date(), pack, pack, thumbnail.text])
            let isWaiting = database.changesCount > 0
            try database.execute(
                sql: "UPDATE sticker SET stale = 1, thumbnail = NULL WHERE pack = ? AND thumbnail = ?",
                arguments: [pack, thumbnail.text])
            return isWaiting
        }
    }

    /// Stickers that are gone from the outbox: out of the pack, and their photos go back to the queue where the inbox
    /// still has a file with that photo, under whichever name. The place in the pack is kept. Returns how many photos
    /// are waiting again.
    ///
    /// Works in batches, as above.
    package func remake(_ files: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(files, ofPack: pack) { try Self.remake($0.text, inPack: pack, in: $1) }
    }

    private func inBatches(
        _ names: Set<ExactName>, ofPack pack: String, remake: @escaping @Sendable (ExactName, Database) throws -> Bool
    ) async throws -> Int {
        var rest = names.sorted()[...]
        var count = 0
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            count += try await database.write { database in try batch.count { try remake($0, database) } }
            markChanged([pack])
        }
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
