import GRDB
import Synchronization

/// What happens to a sticker whose photo was removed from the inbox, or replaced by another under its name.
package enum WhenPhotoRemoved: String, CaseIterable, Sendable {
    case keep
    case withdraw
}

/// Stickers whose photo is no longer in the inbox.
extension PhotoLibrary {
    /// Applies to files that leave the inbox from now on.
    package func adopt(_ rule: WhenPhotoRemoved) {
        withdrawsRemoved.store(rule == .withdraw, ordering: .relaxed)
    }

    /// Withdraws the stickers of files that others removed from the inbox, if the setting says so, and forgets the
    /// files. Files that stickerd moves or removes stay, and so do stickers whose photo another file holds.
    ///
    /// - Returns: the changed packs.
    func withdrawStickers(ofRemovedFiles paths: [InboxPath], in database: Database) throws -> Set<ExactName> {
        guard withdrawsRemoved.load(ordering: .relaxed) else { return [] }
        var packs: Set<ExactName> = []
        for path in paths {
            guard let file = try FileRecord.at(path, in: database), let photo = file.photo, file.state != .processing,
                try !file.hasOriginal(in: database)
            else { continue }
            try withdrawStickers(ofPhoto: photo, pack: file.pack, without: file.id, in: database)
            packs.formUnion(try withdrawReplaced(by: file.id, photo: nil, in: database))
            // A withdrawal may have requeued the file itself.
            try FileRecord.at(path, in: database)?.move(.forget, in: database)
            packs.insert(ExactName(file.pack))
        }
        return packs
    }

    /// Records a photo whose name `file` has taken, or with `isMove` the file's own photo in a pack that it was moved
    /// out of.
    static func recordReplaced(
        _ photo: String?, inPack pack: String, by file: Int64, isMove: Bool = false, in database: Database
    ) throws {
        guard let photo else { return }
        try database.execute(
            cached: """
                INSERT INTO replaced (file, photo, pack, moved) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET moved = moved OR excluded.moved
                """, arguments: [file, photo, pack, isMove])
    }

    /// Withdraws the stickers of the photos that a file has replaced, if the setting says so, and those that the file's
    /// own photo has left in other packs, whatever the setting.
    ///
    /// - Parameter photo: the file's current photo, whose stickers in its pack stay; nil if the file is gone.
    /// - Returns: the changed packs.
    func withdrawReplaced(by file: Int64, photo: String?, in database: Database) throws -> Set<ExactName> {
        let replaced = try ReplacedPhoto.fetchAll(
            database, cached: "SELECT photo, pack, moved FROM replaced WHERE file = ?", arguments: [file])
        try database.execute(cached: "DELETE FROM replaced WHERE file = ?", arguments: [file])
        let withdraws = withdrawsRemoved.load(ordering: .relaxed)
        var packs: Set<ExactName> = []
        let record = try FileRecord.fetchOne(database, cached: "SELECT * FROM file WHERE id = ?", arguments: [file])
        for former in replaced {
            let isSamePhoto = photo.map { $0 == former.photo } ?? false
            if isSamePhoto, let record, former.pack.isExactly(record.pack) { continue }
            let hasMoved = former.moved && isSamePhoto
            if hasMoved, record?.state == .failed {
                // A retry may move the sticker.
                try Self.recordReplaced(photo, inPack: former.pack, by: file, isMove: true, in: database)
                continue
            }
            packs.insert(ExactName(former.pack))
            if hasMoved || withdraws {
                try withdrawStickers(
                    ofPhoto: former.photo, pack: former.pack, without: file, isMove: hasMoved, in: database)
            } else {
                try Self.withdrawReserved(ofPhoto: former.photo, pack: former.pack, without: file, in: database)
                try Self.forgetUnusedPalette(of: former.photo, pack: former.pack, without: file, in: database)
            }
        }
        return packs
    }

    /// Withdraws the stickers of a photo in a pack, unless a file other than `file` holds the photo: that file becomes
    /// their source.
    ///
    /// - Parameter isMove: whether the photo has moved to another pack. Then files that others took out of the inbox no
    ///   longer count as holding it.
    func withdrawStickers(
        ofPhoto photo: String, pack: String, without file: Int64, isMove: Bool = false, in database: Database
    ) throws {
        if isMove {
            try FileRecord.fetchAll(
                database,
                sql: """
                    SELECT * FROM file WHERE photo = ? AND pack = ? AND leftAt IS NOT NULL
                        AND state IN ('done', 'duplicate')
                        AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                    """, arguments: [photo, pack]
            ).move(.forget, in: database)
        }
        // Read only the first file of each state: a photo may have very many copies.
        let other = try FileRecord.fetchOne(
            database,
            sql: """
                SELECT * FROM file WHERE id IN (
                    SELECT (SELECT id FROM file
                        WHERE photo = :photo AND pack = :pack AND state = key.value AND id <> :file
                        ORDER BY arrival LIMIT 1)
                    FROM json_each('["pending","processing","done","duplicate","noSubject"]') AS key)
                ORDER BY arrival LIMIT 1
                """, arguments: ["photo": photo, "pack": pack, "file": file])
        guard let other else {
            try Self.forgetPalette(of: photo, pack: pack, in: database)
            try Self.requeueNearDuplicates(ofPhoto: photo, pack: pack, in: database)
            return try Self.withdraw(ofPhoto: photo, pack: pack, fromOrdinal: 0, in: database)
        }
        try database.execute(
            sql: "UPDATE sticker SET source = ? WHERE photo = ? AND pack = ?", arguments: [other.id, photo, pack])
        try renameStickers(ofPhoto: photo, inPack: pack, in: database)
        guard other.state == .duplicate else { return }
        let isNearDuplicate =
            try Row.fetchOne(
                database, sql: "SELECT 1 FROM lookalike WHERE file = ? AND pack = ?", arguments: [other.id, pack])
            != nil
        guard !isNearDuplicate else { return }
        let sticker = try Row.fetchOne(
            database, sql: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ?", arguments: [photo, pack])
        let isDone = try sticker != nil || Self.hasRemoved(photo, inPack: pack, in: database)
        // Without a sticker, the photo had no subject: pass on the reason of the latest result.
        let reason = try String.fetchOne(
            database, sql: "SELECT reason FROM result WHERE photo = ? ORDER BY finished DESC LIMIT 1",
            arguments: [photo])
        try other.move(.inherit(sticker: isDone), because: isDone ? nil : reason, in: database)
    }

    /// The packs with withdrawn files that are still to be removed.
    package func packsWithWithdrawnFiles() async throws -> Set<ExactName> {
        try await database.read { database in
            // Reads one index entry for each pack; DISTINCT would read one for each file.
            try Set(
                String.fetchAll(
                    database,
                    cached: """
                        WITH RECURSIVE losing(pack) AS (
                            SELECT min(pack) FROM withdrawn
                            UNION ALL
                            SELECT (SELECT min(pack) FROM withdrawn WHERE pack > losing.pack) FROM losing
                            WHERE losing.pack IS NOT NULL)
                        SELECT pack FROM losing WHERE pack IS NOT NULL
                        """
                ).map { ExactName($0) })
        }
    }

    /// Withdraws the stickers of a photo in a pack, from one ordinal on, with their thumbnails. Files with reserved
    /// names, which a crash may have left, are withdrawn too, but not while they are being written.
    static func withdraw(ofPhoto photo: String, pack: String, fromOrdinal ordinal: Int, in database: Database) throws {
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal >= :ordinal AND (published OR NOT :isInProgress)
                UNION ALL
                SELECT pack, 'thumbnails/' || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal >= :ordinal AND (published OR NOT :isInProgress)
                    AND thumbnail IS NOT NULL
                """,
            arguments: [
                "photo": photo, "pack": pack, "ordinal": ordinal,
                "isInProgress": try isInProgress(photo, in: database),
            ])
        try database.execute(
            cached: "DELETE FROM sticker WHERE photo = ? AND pack = ? AND ordinal >= ?",
            arguments: [photo, pack, ordinal])
    }

    /// Withdraws the files of a photo's reserved names in a pack, unless a file other than `file` holds the photo or a
    /// sticker of it is being made. Published stickers stay.
    static func withdrawReserved(
        ofPhoto photo: String, pack: String, without file: Int64, in database: Database
    ) throws {
        let arguments: StatementArguments = ["photo": photo, "pack": pack]
        let other = try Row.fetchOne(
            database, cached: "SELECT 1 FROM file WHERE photo = :photo AND pack = :pack AND id <> :file LIMIT 1",
            arguments: arguments + ["file": file])
        guard try other == nil && !isInProgress(photo, in: database) else { return }
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker WHERE photo = :photo AND pack = :pack AND sha256 = ''
                UNION ALL
                SELECT pack, 'thumbnails/' || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND sha256 = '' AND thumbnail IS NOT NULL
                """, arguments: arguments)
        try database.execute(
            cached: "DELETE FROM sticker WHERE photo = :photo AND pack = :pack AND sha256 = ''", arguments: arguments)
    }

    /// Whether a sticker of the photo is being made. `finish` decides what becomes of its files.
    private static func isInProgress(_ photo: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, cached: "SELECT EXISTS (SELECT 1 FROM attempt WHERE finished IS NULL AND photo = ?)",
            arguments: [photo]) ?? false
    }

    /// Withdraws a sticker's old file if its name changes, and keeps a file with the new name from being removed.
    static func withdrawRenamed(_ sticker: StickerRecord, in database: Database) throws {
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND published AND file <> :file
                UNION ALL
                SELECT pack, 'thumbnails/' || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND thumbnail <> :thumbnail
                """,
            arguments: StatementArguments(try sticker.databaseDictionary))
        try database.execute(
            cached: "DELETE FROM withdrawn WHERE pack = ? AND file IN (?, 'thumbnails/' || ?)",
            arguments: [sticker.pack, sticker.file, sticker.thumbnail])
    }
}

/// A row of `replaced`.
private struct ReplacedPhoto: Decodable, FetchableRecord {
    let photo: String
    let pack: String
    let moved: Bool
}
