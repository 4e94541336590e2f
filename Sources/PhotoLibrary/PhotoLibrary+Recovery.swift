import Foundation
import GRDB

/// What is put right when a daemon starts.
extension PhotoLibrary {
    /// How often a photo may have been in hand when the process died before it is set aside.
    package static let maxAttempts = 3
    /// Attempts that are remembered beyond a restart, the last ones.
    static let attemptsKept = 10_000

    /// Files that were in hand when the last daemon ended go back to the queue, at their place; those that were in
    /// hand `maxAttempts` times are set aside and returned.
    package func recover() async throws -> [InboxPath] {
        let setAside = try await database.write { database in
            let paths = try String.fetchAll(
                database, sql: "SELECT path FROM file WHERE state = 'processing' AND attempts >= ?",
                arguments: [Self.maxAttempts])
            try database.execute(
                sql: """
                    UPDATE file SET state = 'failed', reason = 'stickerd ended \(Self.maxAttempts) times while this \
                    photo was in hand', stateSince = ? WHERE state = 'processing' AND attempts >= ?
                    """, arguments: [Date(), Self.maxAttempts])
            try database.execute(
                sql: "UPDATE file SET state = 'pending', stateSince = ? WHERE state = 'processing'",
                arguments: [Date()])
            try database.execute(
                sql: "UPDATE attempt SET finished = ?, outcome = 'ended with stickerd' WHERE finished IS NULL",
                arguments: [Date()])
            try database.execute(
                sql: "DELETE FROM attempt WHERE id <= (SELECT MAX(id) FROM attempt) - ?",
                arguments: [Self.attemptsKept])
            return paths.compactMap { InboxPath(escaped: $0) }
        }
        return setAside
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

    /// The names of all stickers that should be in the outbox, by pack name ('' is the root's).
    package func publishedFiles() async throws -> [String: Set<String>] {
        try await database.read { database in
            var files: [String: Set<String>] = [:]
            let rows = try Row.fetchCursor(database, sql: "SELECT pack, file FROM sticker WHERE published")
            while let row = try rows.next() { files[row["pack"], default: []].insert(row["file"]) }
            return files
        }
    }

    /// The names of their thumbnails, likewise.
    package func publishedThumbnails() async throws -> [String: Set<String>] {
        try await database.read { database in
            var files: [String: Set<String>] = [:]
            let rows = try Row.fetchCursor(
                database, sql: "SELECT pack, thumbnail FROM sticker WHERE published AND thumbnail IS NOT NULL")
            while let row = try rows.next() { files[row["pack"], default: []].insert(row["thumbnail"]) }
            return files
        }
    }

    /// Thumbnails that are gone from the outbox: their stickers stay in the pack without one until they have been made
    /// again. Returns how many photos are waiting for that.
    package func remake(thumbnails: Set<String>, inPack pack: String) async throws -> Int {
        let count = try await database.write { database in
            var count = 0
            for thumbnail in thumbnails.sorted() {
                try database.execute(
                    sql: """
                        UPDATE file SET state = 'pending', attempts = 0, stateSince = ?
                        WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                            (SELECT photo FROM sticker WHERE pack = ? AND thumbnail = ?)
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
            for file in files.sorted() {
                try database.execute(
                    sql: "UPDATE sticker SET published = 0 WHERE pack = ? AND file = ?", arguments: [pack, file])
                try database.execute(
                    sql: """
                        UPDATE file SET state = 'pending', attempts = 0, stateSince = ?
                        WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                            (SELECT photo FROM sticker WHERE pack = ? AND file = ?)
                        """, arguments: [Date(), pack, pack, file])
                if database.changesCount > 0 { count += 1 }
            }
            return count
        }
        markChanged([pack])
        return count
    }
}
