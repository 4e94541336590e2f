import FileNames
import Foundation
import GRDB
import LinuxIO
package import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// Moving and removing originals: planned, then done, then recorded as done.
extension Library {
    /// Plans what happens to a file whose work has ended. A photo without a sticker is never removed, nor is a skipped
    /// near-duplicate, which is no copy and may be the only one; one whose stickers a user removed stays.
    ///
    /// A photo can be remade while an earlier move of it is under way. That move keeps its target and action, and a
    /// finished move stays finished: otherwise the Library would lose the photo's location.
    ///
    /// - Parameter ending: if it is of the photo, the same is planned for copies: a request dropped their plans, and
    ///   none of them is claimed again.
    static func intend(
        _ mode: OriginalsMode, for file: FileRecord, after ending: Ending, in database: Database
    ) throws {
        try intend(mode, for: file, in: database)
        guard ending.kind.isOfPhoto, let photo = file.photo else { return }
        try intend(mode, forCopiesOf: photo, inPack: file.pack, in: database)
    }

    /// Plans the same for the files in the inbox that hold a photo in a pack and have no plan.
    static func intend(
        _ mode: OriginalsMode, forCopiesOf photo: String, inPack pack: String, in database: Database
    ) throws {
        guard mode != .keep else { return }
        let copies = try FileRecord.fetchAll(
            database,
            cached: """
                SELECT * FROM file WHERE photo = ? AND pack = ? AND presence = 'here' AND failure IS NULL
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                """, arguments: [photo, pack])
        for copy in copies { try intend(mode, for: copy, in: database) }
    }

    /// Whether a file of a photo waits that is not in progress. A decision can end its work without a claim: after a
    /// crash or a stop, it is known as a copy already.
    static func hasWaitingFile(of photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try database.hasRow(
            cached: "SELECT 1 FROM file WHERE photo = ? AND pack = ? AND state = 'pending' LIMIT 1",
            arguments: [photo, pack])
    }

    static let originalsKey = "originals"

    /// Sets what happens to a file whose work ends without a claim, or that is renamed after it, and to those that wait
    /// to be moved or removed. Work that ends with a claim goes by the mode that `finish` gets.
    package func adopt(originals mode: OriginalsMode) async throws {
        try await database.write { database in
            guard try Self.rules(in: database).originals != mode else { return }
            try Self.setMeta(Self.originalsKey, mode.rawValue, in: database)
            // If another file has taken the path, the plan stays: what became of the file is recorded by it.
            let plans = try Original.fetchAll(
                database,
                sql: """
                    SELECT * FROM original WHERE finished IS NULL
                        AND NOT EXISTS (SELECT 1 FROM file WHERE id = original.file AND superseded)
                    """)
            for plan in plans where !plan.isAtTarget {
                guard let file = try FileRecord.of(plan.file, arrival: plan.arrival, in: database) else { continue }
                _ = try Self.dropPlan(of: file, in: database)
                try Self.intend(mode, for: file, in: database)
            }
        }
    }

    /// Returns whether something was planned for the file.
    static func dropPlan(of file: FileRecord, in database: Database) throws -> Bool {
        try database.execute(cached: "DELETE FROM original WHERE file = ? AND finished IS NULL", arguments: [file.id])
        return database.changesCount > 0
    }

    static func intend(_ mode: OriginalsMode, for file: FileRecord, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            cached: """
                SELECT EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack),
                    EXISTS (SELECT 1 FROM stay WHERE photo = :photo AND pack = :pack AND leader IS NOT NULL)
                """, arguments: ["photo": file.photo, "pack": file.pack])
        let (hasSticker, isLed): (Bool, Bool) = (row?[0] ?? false, row?[1] ?? false)
        guard file.isInInbox, file.state != .pending, file.state != .processing,
            hasSticker || isLed || file.state == .failed || file.state == .noSubject,
            let action = mode.action(for: !hasSticker && isLed ? .noSubject : file.state)
        else { return }
        try database.execute(
            cached: """
                INSERT INTO original (file, arrival, path, device, inode, size, modified, action, reason, decided)
                SELECT id, arrival, path, device, inode, size, modified, ?, ?, ? FROM file WHERE id = ?
                ON CONFLICT(file, arrival) DO UPDATE SET path = excluded.path, device = excluded.device,
                    action = iif(target IS NULL, excluded.action, action),
                    reason = iif(target IS NULL, excluded.reason, reason),
                    decided = iif(target IS NULL, excluded.decided, decided), tried = NULL
                WHERE finished IS NULL
                """, arguments: [action, file.reason, Date(), file.id])
    }

    /// The number of a new round of tries, higher than that of every earlier one. The wall clock may be set back, so no
    /// time tells which originals were tried in a round.
    package func beginRound() async throws -> Int64 {
        try await database.read { database in
            try Int64.fetchOne(database, cached: "SELECT MAX(tried) FROM original WHERE finished IS NULL") ?? 0
        } + 1
    }

    /// Up to `limit` originals still to be moved or removed, the most recently tried last. Excludes those whose photo
    /// is still to be remade, those tried in `round`, and those with a sticker that no index lists yet: if the Library
    /// were lost now, nothing would know that sticker, and only the photo would bring it back.
    package func dueOriginals(in round: Int64, limit: Int) async throws -> [Original] {
        try await database.read { database in
            try Original.fetchAll(
                database,
                cached: """
                    SELECT original.*, changed, photo FROM original
                    LEFT JOIN file ON id = original.file AND file.arrival = original.arrival
                    WHERE finished IS NULL AND (tried IS NULL OR tried < ?)
                        AND NOT EXISTS (SELECT 1 FROM file WHERE id = original.file AND arrival = original.arrival
                            AND state IN ('pending', 'processing'))
                        AND NOT EXISTS (SELECT 1 FROM sticker WHERE sticker.photo = file.photo
                            AND sticker.pack = file.pack AND published AND NOT listed)
                    ORDER BY tried, original.file LIMIT ?
                    """, arguments: [round, limit])
        }
    }

    /// The stickers that must be in the outbox before the file may be removed.
    package func stickers(of original: Original) async throws -> [StickerRecord] {
        try await database.read { database in
            let file = try FileRecord.of(original.file, arrival: original.arrival, in: database)
            guard let file, let photo = file.photo else { return [] }
            return try Self.stickers(ofPhoto: photo, inPack: file.pack, in: database)
        }
    }

    /// Records that a file will be moved or removed, and its target, before it happens.
    ///
    /// - Parameter target: nil to keep the recorded one, or if the file is removed.
    /// - Returns: false if the file must stay: it is to be retried, another file has its name, or it has no sticker
    ///   and was to be removed.
    package func recordTarget(_ target: FilePath?, for original: Original) async throws -> Bool {
        let target = target.map { InboxPath(bytes: $0.bytes) }
        return try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE original SET target = COALESCE(:target, target), begun = 1
                    WHERE file = :file AND arrival = :arrival AND action = :action AND finished IS NULL
                        AND EXISTS (SELECT 1 FROM file WHERE id = :file AND arrival = :arrival
                            AND state NOT IN ('pending', 'processing'))
                        AND (action <> 'remove' OR EXISTS (
                            SELECT 1 FROM file JOIN sticker ON sticker.photo = file.photo AND sticker.pack = file.pack
                            WHERE file.id = :file AND published))
                    """,
                arguments: [
                    "target": target, "file": original.file, "arrival": original.arrival,
                    "action": original.action,
                ])
            if database.changesCount > 0 { return true }
            // Another file has arrived under its name.
            try database.execute(
                sql: """
                    UPDATE original SET finished = ?, outcome = ?
                    WHERE file = ? AND arrival = ? AND finished IS NULL
                        AND EXISTS (SELECT 1 FROM file WHERE id = original.file AND arrival <> original.arrival)
                    """,
                arguments: [Date(), Original.Outcome.gone, original.file, original.arrival])
            return false
        }
    }

    /// Records a failed try, in this round, of the original or of all originals in its folder.
    ///
    /// - Parameters:
    ///   - original: the one that was tried.
    ///   - round: from `beginRound`.
    ///   - isGone: whether the inbox does not have it any more, for which this try or an earlier one may be the reason.
    ///   - isWholeFolder: whether all in its folder count as tried.
    /// - Returns: how many originals were postponed.
    @discardableResult
    package func postpone(
        _ original: Original, in round: Int64, isGone: Bool = false, isWholeFolder: Bool = false
    ) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE original SET tried = ?, begun = begun AND ?
                    WHERE file = ? AND arrival = ? AND finished IS NULL
                    """, arguments: [round, isGone, original.file, original.arrival])
            guard isWholeFolder else { return database.changesCount }
            try database.execute(
                sql: """
                    UPDATE original SET tried = ?
                    WHERE finished IS NULL
                        AND file IN (SELECT id FROM file WHERE folder = ? AND leftAt IS NULL)
                    """, arguments: [round, original.path.folder?.description ?? ""])
            return database.changesCount
        }
    }

    /// Records what happened to the file. A photo without a sticker that had left the inbox before it could be moved is
    /// forgotten.
    ///
    /// - Parameters:
    ///   - original: as it was when the work on it began. The photo may have failed again since.
    ///   - target: the file's path if it was moved.
    /// - Returns: false if another process has cancelled this by requesting a retry of the photo, or if the file was
    ///   renamed meanwhile.
    package func conclude(
        _ original: Original, as outcome: Original.Outcome, at target: FilePath? = nil
    ) async throws -> Bool {
        let place = target.map { InboxPath(bytes: $0.bytes) }
        let concluded = try await database.write { database -> (target: InboxPath?, departures: Departures)? in
            // An earlier try may have removed it, or moved it to where others have taken it away since: that is no
            // reason to withdraw its sticker.
            let isRemoval = original.action == .remove
            let mayBeDone = outcome == .gone && original.begun && (isRemoval || original.destination != nil)
            let outcome = mayBeDone ? (isRemoval ? .removed : .moved) : outcome
            let row = try Row.fetchOne(
                database,
                sql: """
                    UPDATE original SET finished = ?, outcome = ?, target = coalesce(target, ?)
                    WHERE file = ? AND arrival = ? AND path = ? AND action = ? AND finished IS NULL RETURNING target
                    """,
                arguments: [
                    Date(), outcome, place, original.file, original.arrival, original.path, original.action,
                ])
            guard let row else { return nil }
            if outcome == .moved { try Self.forgetFormer(at: row["target"], than: original, in: database) }
            let file = try FileRecord.of(original.file, arrival: original.arrival, in: database)
            guard outcome == .gone, let file, file.isInInbox else { return (row["target"], Departures()) }
            // Someone deleted the file before it was moved.
            try database.execute(
                sql: "DELETE FROM original WHERE file = ? AND arrival = ?", arguments: [file.id, file.arrival])
            return (row["target"], try self.forget([file], .removed, in: database))
        }
        guard let (target, departures) = concluded else { return false }
        _ = announce(departures)
        if outcome == .moved, let target, target.name != original.path.name {
            fileNews.add([FileNews(path: original.path, change: .renamed(to: FilePath(bytes: target.bytes)))])
        }
        return true
    }

    /// Forgets the file that was moved to a target before this one: the name was free, so others have taken it away.
    private static func forgetFormer(
        at target: InboxPath?, than original: Original, in database: Database
    ) throws {
        let former = try FileRecord.fetchAll(
            database,
            cached: """
                SELECT file.* FROM original JOIN file ON file.id = original.file AND file.arrival = original.arrival
                WHERE target = ? AND outcome = 'moved' AND id <> ? AND state NOT IN ('pending', 'processing')
                """, arguments: [target, original.file])
        try former.move(.forget, in: database)
    }

    /// The current path and SHA-256 of a claimed file's photo if it was moved out of the inbox. A move interrupted by a
    /// crash counts, too.
    package func location(of claim: Claim) async throws -> (path: FilePath, photo: String)? {
        try await database.read { database in
            guard let file = try FileRecord.of(claim, in: database), let photo = file.photo,
                let original = try Original.of(file, in: database), let target = original.destination,
                original.outcome == .moved || original.finished == nil
            else { return nil }
            return (target, photo)
        }
    }
}
