import Foundation
import GRDB
import LinuxIO
import PhotoColors
import Synchronization
import SystemPackage

/// What the Processor asks and tells: claim, resolve, then finish, set aside or release.
extension PhotoLibrary {
    /// Says what there is to do for a claimed file whose bytes hash to `photo`, and remembers the photo.
    ///
    /// - Parameter recipe: today's; stickers to be made again are copied only where they were made with it.
    package func resolve(_ claim: Claim, photo: String, recipe: String) async throws -> Resolution {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO photo (sha256, bytes, firstSeen) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [photo, claim.identity.size, Date()])
            // Another photo may have come in under the same name since the claim.
            try database.execute(
                sql: "UPDATE file SET photo = ? WHERE id = ? AND arrival = ?",
                arguments: [photo, claim.file, claim.arrival])
            try database.execute(
                sql: "UPDATE attempt SET photo = ? WHERE file = ? AND finished IS NULL", arguments: [photo, claim.file])

            let here = try Row.fetchAll(
                database,
                sql:
                    "SELECT source, published AND NOT stale AS good FROM sticker WHERE photo = ? AND pack = ? ORDER BY ordinal",
                arguments: [photo, claim.pack])
            if let first = here.first {
                guard here.allSatisfy({ $0["good"] }) else {
                    let fresh = try Self.stickersInOnePack(of: photo, recipe: recipe, in: database)
                    return fresh.isEmpty ? .work : .copy(fresh)
                }
                let source: Int64 = first["source"]
                if source == claim.file { return .alreadyDone }
                if let original = try Self.path(ofFile: source, in: database) { return .duplicate(of: original) }
                // Where it came from nobody knows any more: from here, then.
                try database.execute(
                    sql: "UPDATE sticker SET source = ? WHERE photo = ? AND pack = ?",
                    arguments: [claim.file, photo, claim.pack])
                return .alreadyDone
            }
            if let twin = try Self.finishedTwin(of: claim, photo: photo, recipe: recipe, in: database) { return twin }
            let elsewhere = try Self.stickersInOnePack(of: photo, recipe: recipe, in: database)
            return elsewhere.isEmpty ? .work : .copy(elsewhere)
        }
    }

    /// Finds another file of the pack in which this recipe found no subject: without a sticker, a photo can only be
    /// recognised by such a file. Another recipe may find a subject.
    private static func finishedTwin(
        of claim: Claim, photo: String, recipe: String, in database: Database
    ) throws -> Resolution? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT path, result.reason FROM file JOIN result ON result.photo = file.photo
                WHERE file.photo = ? AND pack = ? AND id <> ? AND state = 'noSubject'
                    AND recipe = ? AND outcome = 'noSubject'
                ORDER BY arrival LIMIT 1
                """, arguments: [photo, claim.pack, claim.file, recipe])
        guard let row, let path = InboxPath(escaped: row["path"]) else { return nil }
        return .noSubject(reason: "\(row["reason"] as String? ?? "no clear subject"), as in \(path), the same photo")
    }

    /// Those of the first pack that has them all, made with `recipe`, and needs none of them anew.
    private static func stickersInOnePack(
        of photo: String, recipe: String, in database: Database
    ) throws -> [StickerRecord] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM sticker WHERE photo = :photo AND pack = (
                    SELECT pack FROM sticker WHERE photo = :photo GROUP BY pack
                    HAVING MIN(published AND NOT stale AND recipe = :recipe)
                    ORDER BY MIN(id) LIMIT 1)
                ORDER BY ordinal
                """, arguments: ["photo": photo, "recipe": recipe])
        return rows.map(StickerRecord.init(row:))
    }

    private static func path(ofFile file: Int64, in database: Database) throws -> InboxPath? {
        let path = try String.fetchOne(database, sql: "SELECT path FROM file WHERE id = ?", arguments: [file])
        return path.flatMap { InboxPath(escaped: $0) }
    }

    /// Ends a claim in a final state, and writes down what was made of the photo. Stickers that were known under the
    /// same number keep their place and their date. A file that came in anew meanwhile, under the same name, stays where
    /// that put it: at the end of the queue.
    ///
    /// - Parameter originals: what becomes of the file in the inbox; written down here, done by others.
    package func finish(_ claim: Claim, as ending: Ending, originals: OriginalsMode = .keep) async throws {
        let packs = try await database.write { database -> Set<ExactName> in
            let isElsewhere = try Self.hasMoved(claim, endingAs: ending.state, in: database)
            try database.execute(
                sql: """
                    UPDATE file SET state = ?, reason = ?, attempts = 0, stateSince = ?
                    WHERE id = ? AND arrival = ? AND state = 'processing'
                    """,
                arguments: [
                    (isElsewhere ? .pending : ending.state).rawValue, isElsewhere ? nil : ending.reason, Date(),
                    claim.file, claim.arrival,
                ])
            if database.changesCount > 0, !isElsewhere {
                try Self.intend(originals, ending.fate, reason: ending.reason, file: claim.file, in: database)
            }
            try Self.endAttempt(of: claim, outcome: ending.state.rawValue, ending.reason, in: database)
            try database.execute(sql: "DELETE FROM suspect WHERE file = ?", arguments: [claim.file])
            if let result = ending.result { try Self.store(result, of: ending, in: database) }
            for sticker in ending.stickers {
                try Self.store(sticker, from: claim, in: database)
            }
            if let like = ending.like { try Self.storeLookalike(claim, of: like, in: database) }
            if let likeness = ending.likeness { try Self.store(likeness.value, ofPhoto: likeness.photo, in: database) }
            if let photo = ending.photo {
                try Self.withdraw(ofPhoto: photo, pack: claim.pack, fromOrdinal: ending.stickers.count, in: database)
                if ending.stickers.isEmpty {
                    try Self.callUpLookalikes(ofPhoto: photo, pack: claim.pack, in: database)
                }
            }
            if let photo = ending.photo {
                try Self.askForPalette(of: photo, pack: claim.pack, stems: ending.stems, in: database)
            }
            let photo = try String.fetchOne(
                database, sql: "SELECT photo FROM file WHERE id = ?", arguments: [claim.file])
            if isElsewhere {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO replaced (file, photo, pack) VALUES (?, ?, ?)",
                    arguments: [claim.file, photo, claim.pack])
                return []
            }
            return try self.withdrawReplaced(by: claim.file, photo: photo, in: database)
        }
        markChanged(packs.union([ExactName(claim.pack)]))
    }

    /// Whether a file got into another pack while it was in hand: it needs its sticker there, and the one that was made
    /// goes when it has that.
    private static func hasMoved(_ claim: Claim, endingAs state: FileState, in database: Database) throws -> Bool {
        guard state == .done || state == .duplicate else { return false }
        return try Int64.fetchOne(
            database, sql: "SELECT id FROM file WHERE id = ? AND arrival = ? AND state = 'processing' AND pack <> ?",
            arguments: [claim.file, claim.arrival, claim.pack]) != nil
    }

    /// Puts a claim back where it was in the queue, as if it had not been taken.
    package func release(_ claim: Claim) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = attempts - 1, stateSince = ?
                    WHERE id = ? AND arrival = ? AND state = 'processing'
                    """, arguments: [Date(), claim.file, claim.arrival])
            try Self.endAttempt(of: claim, outcome: "released", in: database)
        }
    }

    /// The claimed file is no longer in the inbox, or another file has its name: forgets it. One that has another name by
    /// now goes back to the queue. Where stickers are to go with it, it stays, ignored, until the Inbox says what became
    /// of it: that it is gone, or came in anew.
    package func abandon(_ claim: Claim) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = attempts - 1, stateSince = ?
                    WHERE id = ? AND arrival = ? AND state = 'processing' AND path <> ?
                    """, arguments: [Date(), claim.file, claim.arrival, claim.path.description])
            if self.withdrawsRemoved.load(ordering: .relaxed) {
                try database.execute(
                    sql: """
                        UPDATE file SET state = 'ignored', reason = 'changed while it was in hand', stateSince = ?
                        WHERE id = ? AND arrival = ? AND state = 'processing'
                            AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                            AND (EXISTS (SELECT 1 FROM replaced WHERE file = file.id) OR EXISTS (
                                SELECT 1 FROM sticker WHERE photo = file.photo AND sticker.pack = file.pack))
                        """, arguments: [Date(), claim.file, claim.arrival])
            }
            // If stickerd itself moved or removed the file, its record and sticker stay.
            try database.execute(
                sql: """
                    UPDATE file SET state = iif(EXISTS (SELECT 1 FROM result
                            WHERE photo = file.photo AND outcome = 'noSubject' AND NOT EXISTS (
                                SELECT 1 FROM sticker WHERE photo = file.photo AND sticker.pack = file.pack)),
                        'noSubject', 'done'), stateSince = ?
                    WHERE id = ? AND arrival = ? AND state = 'processing' AND photo IS NOT NULL AND EXISTS (
                        SELECT 1 FROM original
                        WHERE file = file.id AND arrival = file.arrival AND finished IS NOT NULL)
                    """, arguments: [Date(), claim.file, claim.arrival])
            try database.execute(
                sql: "DELETE FROM file WHERE id = ? AND arrival = ? AND state = 'processing'",
                arguments: [claim.file, claim.arrival])
            try Self.endAttempt(of: claim, outcome: "gone", in: database)
        }
        markChanged([claim.pack])
    }

    private static func store(_ result: Ending.Result, of ending: Ending, in database: Database) throws {
        try database.execute(
            sql: "UPDATE photo SET format = ?, width = ?, height = ? WHERE sha256 = ?",
            arguments: [result.format, result.width, result.height, result.photo])
        try database.execute(
            sql: "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                result.photo, result.recipe, ending.state.rawValue, ending.reason, result.confidence,
                result.colors.description, Date(), result.subjectColors?.description,
            ])
    }

    /// Keeps a name for a sticker that is about to be published: the one it had before if that has the right ending, or
    /// the first of `candidates` that no other sticker of its pack has, and whose old file is not just about to be
    /// removed; the last one in any case. Until `finish` a new sticker counts as missing from the outbox.
    ///
    /// - Parameter unusable: its earlier name, if that can no longer be published under.
    package func bookName(
        for sticker: StickerRecord, candidates: [String], claim: Claim, insteadOf unusable: String? = nil
    ) async throws -> String {
        try await database.write { database in
            for candidate in candidates {
                // Who removes withdrawn files has read their names already, perhaps.
                let isLeaving =
                    try candidate != candidates.last
                    && Row.fetchOne(
                        database, sql: "SELECT 1 FROM withdrawn WHERE pack = ? AND file = ?",
                        arguments: [sticker.pack, candidate]) != nil
                try database.execute(
                    sql: """
                        INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes,
                            sha256, confidence, added, published)
                        SELECT ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '', 0, ?, 0 WHERE ?
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        sticker.pack, sticker.photo, sticker.ordinal, claim.file, sticker.recipe, claim.arrival,
                        candidate, sticker.added, !isLeaving,
                    ])
                let booked = try String.fetchOne(
                    database, sql: "SELECT file FROM sticker WHERE photo = ? AND pack = ? AND ordinal = ?",
                    arguments: [sticker.photo, sticker.pack, sticker.ordinal])
                guard let booked else { continue }
                let isUsable = unusable.map { !booked.isExactly($0) } ?? true
                if isUsable, FilePath(booked).extension == FilePath(candidate).extension { return booked }
                let isTaken = try Row.fetchOne(
                    database, sql: "SELECT 1 FROM sticker WHERE pack = ? AND file = ?",
                    arguments: [sticker.pack, candidate])
                if isTaken == nil, !isLeaving { return candidate }
            }
            throw LibraryError(.nameTaken, "every name for a sticker of \(claim.path) is taken")
        }
    }

    private static func store(
        _ sticker: StickerRecord, from claim: Claim, in database: Database
    ) throws {
        try withdrawRenamed(sticker, in: database)
        try database.execute(
            sql: """
                INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                    confidence, added, published, thumbnail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
                ON CONFLICT(photo, pack, ordinal) DO UPDATE SET source = excluded.source, recipe = excluded.recipe,
                    file = excluded.file, width = excluded.width, height = excluded.height, bytes = excluded.bytes,
                    sha256 = excluded.sha256, confidence = excluded.confidence, published = 1, stale = 0,
                    thumbnail = excluded.thumbnail
                """,
            arguments: [
                sticker.pack, sticker.photo, sticker.ordinal, claim.file, sticker.recipe, claim.arrival, sticker.file,
                sticker.width, sticker.height, sticker.bytes, sticker.sha256, sticker.confidence, sticker.added,
                sticker.thumbnail,
            ])
    }
}
