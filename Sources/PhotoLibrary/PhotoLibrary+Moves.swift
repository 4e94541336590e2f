import Foundation
import GRDB
import LinuxIO
import Synchronization

/// Photos that moved within the inbox. Their stickers move along: the sticker is copied to the new pack, and that
/// copy's transaction withdraws the one in the former pack, unless another file there holds the photo.
///
/// A file that only has a new path is recognized by its inode, whenever it moved. A sync client may delete a photo and
/// create it again: the same bytes count as moved if both happen within `moveGap`.
extension PhotoLibrary {
    /// The longest time, in seconds, between the removal of a photo from a pack and its arrival in another one if these
    /// are a move. Longer than `InboxRules.emptySeconds`, after which removals that a scan found are recorded.
    static let moveGap = 900.0

    /// The former paths of files with new paths, by new path. A file may still have its former path (link(2)): callers
    /// must check.
    ///
    /// Inode change time is not compared, because rename(2) sets it. Files that stickerd moved or removed are excluded;
    /// files that others took out of the inbox may return under another name. If another known file has the new path,
    /// only a former path in another pack counts.
    package func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath] {
        try await database.read { database in
            var former: [InboxPath: InboxPath] = [:]
            for arrival in arrivals {
                guard case .ready = arrival.verdict else { continue }
                former[arrival.path] = try InboxPath.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT path FROM file
                            WHERE device IN (:device, :elsewhere)
                                AND inode = :inode AND size = :size AND modified = :modified
                                AND path <> :path AND state <> 'ignored'
                                AND NOT EXISTS (SELECT 1 FROM file AS known WHERE path = :path
                                    AND (known.inode = :inode OR file.pack = :pack))
                                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                            """),
                    arguments: [
                        "device": Int64(bitPattern: arrival.identity.device),
                        "elsewhere": Int64(bitPattern: Self.elsewhere),
                        "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                        "modified": arrival.identity.modified, "path": arrival.path, "pack": arrival.path.pack ?? "",
                    ])
            }
            return former
        }
    }

    /// Renames a file's row, which keeps its key, arrival and history. In another pack its photo needs a sticker, or
    /// its colors if it has no subject.
    ///
    /// - Returns: whether the file is known, so that its arrival is not recorded; and whether it joined the queue.
    func rename(
        _ former: InboxPath, to arrival: Arrival, in database: Database
    ) throws -> (isKnown: Bool, isWaiting: Bool) {
        guard let file = try Self.known(former, as: arrival, in: database) else { return (false, false) }
        let pack = arrival.path.pack ?? ""
        let isElsewhere = !file.pack.isExactly(pack)
        let isRepacked = isElsewhere && file.state.isRepackedIfMoved
        if isElsewhere, file.state == .noSubject, let photo = file.photo {
            try Self.moveColors(of: photo, from: file.pack, to: pack, without: file.id, in: database)
        } else if isElsewhere {
            // Also of a photo that waits for its remake, or that failed in one.
            try Self.recordReplaced(file.photo, inPack: file.pack, by: file.id, isMove: true, in: database)
        }
        if isElsewhere {
            try Self.moveRemovals(of: file.photo, from: file.pack, to: pack, without: file.id, in: database)
        }
        if isRepacked { try file.move(.repack, in: database) }
        try database.execute(
            sql: "UPDATE file SET path = ?, folder = ?, pack = ?, device = ?, changed = ? WHERE id = ?",
            arguments: [
                arrival.path, arrival.path.folder?.description ?? "", pack,
                Int64(bitPattern: arrival.identity.device), arrival.identity.changed, file.id,
            ])
        // In another pack, the copy gets the new name.
        if !isElsewhere, let photo = file.photo { try renameStickers(ofPhoto: photo, inPack: pack, in: database) }
        // `formerNames` omits ignored files, so this one was abandoned after that: it was looked for under its former
        // path. It arrives again.
        return (file.state != .ignored, isRepacked)
    }

    /// Applies to photos that are renamed from now on.
    ///
    /// - Parameter keepStem: whether stickers may have their photos' names.
    package func adopt(keepStem: Bool) {
        keepsStems.store(keepStem, ordering: .relaxed)
    }

    /// Gives a photo's stickers the stem of the file that they were made from, as it is named now, unless the settings
    /// keep photos' names out of the outbox, or did so when the stickers were made (see `Schema.stems`).
    func renameStickers(ofPhoto photo: String, inPack pack: String, in database: Database) throws {
        // The stickers' own columns do not tell: their files may have names from before the setting was changed.
        guard keepsStems.load(ordering: .relaxed) else { return }
        let path = try InboxPath.fetchOne(
            database,
            cached: """
                SELECT path FROM file WHERE id = (
                    SELECT source FROM sticker WHERE photo = :photo AND pack = :pack ORDER BY ordinal LIMIT 1)
                """, arguments: ["photo": photo, "pack": pack])
        guard let path else { return }
        try database.execute(
            cached: """
                UPDATE sticker SET stem = :stem WHERE photo = :photo AND pack = :pack AND stem IS NOT :stem
                    AND (stem IS NOT NULL OR file NOT LIKE substr(photo, 1, 8) || '%')
                """, arguments: ["stem": path.stem, "photo": photo, "pack": pack])
    }

    /// Forgets a file that was moved to a path that another known file had, and has just arrived there: that file's row
    /// now stands for it.
    static func replace(_ former: InboxPath, by arrival: Arrival, in database: Database) throws {
        guard let file = try known(former, as: arrival, in: database), file.state != .processing,
            let target = try FileRecord.at(arrival.path, in: database)
        else { return }
        try recordReplaced(file.photo, inPack: file.pack, by: target.id, isMove: true, in: database)
        try moveRemovals(of: file.photo, from: file.pack, to: target.pack, without: file.id, in: database)
        try database.execute(
            sql: "UPDATE OR IGNORE replaced SET file = ? WHERE file = ?", arguments: [target.id, file.id])
        try file.move(.forget, in: database)
    }

    private static func known(
        _ former: InboxPath, as arrival: Arrival, in database: Database
    ) throws -> FileRecord? {
        try FileRecord.fetchOne(
            database, sql: "SELECT * FROM file WHERE path = ? AND inode = ? AND size = ? AND modified = ?",
            arguments: [
                former, Int64(bitPattern: arrival.identity.inode), arrival.identity.size, arrival.identity.modified,
            ])
    }

    /// Moves a photo's palette files, unless another file than `file` holds the photo in the former pack.
    static func moveColors(
        of photo: String, from former: String, to pack: String, without file: Int64, in database: Database
    ) throws {
        let stem = try String.fetchOne(
            database, sql: "SELECT stem FROM palette WHERE photo = ? AND pack = ?", arguments: [photo, former])
        guard let stem else { return }
        try requestPalette(of: photo, pack: pack, stems: [stem, "\(stem)-\(photo)"], in: database)
        try forgetUnusedPalette(of: photo, pack: former, without: file, in: database)
    }
}

/// Photos that moved, recognized by their bytes.
extension PhotoLibrary {
    /// Records that a claimed photo has moved from the packs that it left shortly before or after it arrived. A photo
    /// with a sticker in its pack was there before. The files of a former inbox have not moved.
    static func recordMoves(_ claim: Claim, of photo: String, in database: Database) throws {
        let file = try FileRecord.fetchOne(
            database, cached: "SELECT * FROM file WHERE id = ? AND arrival = ?", arguments: [claim.file, claim.arrival])
        guard let file, let seen = file.seen, try !hasSticker(photo, inPack: file.pack, in: database) else { return }
        let place = try Date.fetchOne(database, cached: "SELECT since FROM inboxPlace") ?? .distantPast
        let packs = try String.fetchAll(
            database,
            cached: """
                SELECT DISTINCT pack FROM file
                WHERE photo = :photo AND leftAt IS NOT NULL AND leftAt > :start AND leftAt < :end
                    AND pack <> :pack AND state IN ('done', 'duplicate')
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                """,
            arguments: [
                "photo": photo, "pack": file.pack, "start": max(seen - moveGap, place), "end": seen + moveGap,
            ])
        for pack in packs {
            try recordReplaced(photo, inPack: pack, by: file.id, isMove: true, in: database)
            try moveRemovals(of: photo, from: pack, to: file.pack, without: file.id, in: database)
        }
    }

    /// Withdraws the stickers of files that have just left the inbox, if their photos have moved: long in their pack,
    /// they got a sticker in another one shortly before, and are still there.
    ///
    /// - Returns: the changed packs.
    func withdrawStickers(
        ofMovedPhotos files: [FileRecord], in database: Database
    ) throws -> Set<ExactName> {
        var packs: Set<ExactName> = []
        for file in files where file.state.isRepackedIfMoved {
            guard let photo = file.photo, try Self.hasMoved(photo, from: file.pack, in: database) else { continue }
            try withdrawStickers(ofPhoto: photo, pack: file.pack, without: file.id, isMove: true, in: database)
            packs.insert(ExactName(file.pack))
        }
        return packs
    }

    private static func hasMoved(_ photo: String, from pack: String, in database: Database) throws -> Bool {
        let added = try Date.fetchOne(
            database, sql: "SELECT MIN(added) FROM sticker WHERE photo = ? AND pack = ? AND published",
            arguments: [photo, pack])
        guard let added else { return false }
        return try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM sticker
                    WHERE photo = :photo AND pack <> :pack AND published AND added BETWEEN :start AND :end
                        AND EXISTS (SELECT 1 FROM file
                            WHERE photo = :photo AND pack = sticker.pack AND leftAt IS NULL))
                """,
            arguments: [
                // Stickers dated later were made before the clock was set back.
                "photo": photo, "pack": pack, "start": max(added + moveGap, Date.now - moveGap),
                "end": Date.now + moveGap,
            ]) ?? false
    }

    private static func hasSticker(_ photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cached: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ? AND published",
            arguments: [photo, pack]) != nil
    }

    /// The stickers of a photo in a pack that it was moved out of, whatever their recipe; none if they are to be
    /// remade.
    static func stickers(toMove photo: String, for claim: Claim, in database: Database) throws -> [StickerRecord] {
        try StickerRecord.fetchAll(
            database,
            cached: """
                SELECT * FROM sticker WHERE photo = :photo AND pack = (
                    SELECT pack FROM sticker WHERE photo = :photo AND pack IN (
                        SELECT pack FROM replaced WHERE file = :file AND photo = :photo AND moved)
                    GROUP BY pack HAVING MIN(published AND NOT stale) ORDER BY MIN(id) LIMIT 1)
                ORDER BY ordinal
                """, arguments: ["photo": photo, "file": claim.file])
    }
}
