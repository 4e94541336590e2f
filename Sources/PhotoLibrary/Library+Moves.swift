package import FileNames
import Foundation
import GRDB
import LinuxIO
import PhotoRule
import SQLiteDatabase

/// Files that have a new path, recognized by their inode, whenever they moved. `KnownPhoto` says what becomes of their
/// stickers.
extension Library {
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
                            WHERE (device = :device OR presence IN ('left', 'unknown'))
                                AND inode = :inode AND size = :size AND modified = :modified
                                AND path <> :path AND state <> 'ignored'
                                AND NOT EXISTS (SELECT 1 FROM file AS known
                                    WHERE path = :path AND NOT superseded AND leftAt IS NULL
                                        AND (known.inode = :inode OR file.pack = :pack))
                                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival
                                    AND finished IS NOT NULL)
                            """),
                    arguments: [
                        "device": Int64(bitPattern: arrival.identity.device),
                        "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                        "modified": arrival.identity.modified, "path": arrival.path, "pack": arrival.path.pack ?? "",
                    ])
            }
            return former
        }
    }

    /// Renames a file's row, which keeps its key, arrival and history.
    ///
    /// - Returns: the file as it was; nil if its arrival is to be recorded.
    func rename(_ former: InboxPath, to arrival: Arrival, in database: Database) throws -> FileRecord? {
        guard let file = try Self.known(former, as: arrival, in: database) else { return nil }
        let pack = arrival.path.pack ?? ""
        let isElsewhere = !file.pack.isExactly(pack)
        if isElsewhere, file.photo != nil { try recordDeparture(of: file, isRename: true, in: database) }
        // One that had left is back with the contents that it had.
        try database.execute(
            cached: """
                UPDATE file SET path = :path, folder = :folder, pack = :pack, device = :device, changed = :changed,
                    since = iif(pack = :pack, since, :now), leftAt = NULL,
                    presence = iif(presence IN ('left', 'unknown'), iif(failure IS NULL, 'here', 'unread'), presence),
                    failure = iif(presence IN ('left', 'unknown'), NULL, failure)
                WHERE id = :file
                """,
            arguments: [
                "path": arrival.path, "folder": arrival.path.folder?.description ?? "", "pack": pack,
                "device": Int64(bitPattern: arrival.identity.device), "changed": arrival.identity.changed,
                "now": Date(), "file": file.id,
            ])
        if let photo = file.photo {
            try Self.renameStickers(ofPhoto: photo, inPack: pack, in: database)
        }
        // `formerNames` omits ignored files, so this one was abandoned after that: it was looked for under its former
        // path. It arrives again.
        return file.state != .ignored && file.failure == nil ? file : nil
    }

    private static let keepsStemsKey = "keepsStems"

    /// Applies to photos that are renamed, and to stickers that are remade, from now on.
    ///
    /// - Parameter keepStem: whether stickers may have their photos' names.
    package func adopt(keepStem: Bool) async throws {
        try await database.write { try Self.setMeta(Self.keepsStemsKey, keepStem ? "1" : "0", in: $0) }
    }

    /// Whether stickers may not have their photos' names.
    static func hidesStems(in database: Database) throws -> Bool { try meta(keepsStemsKey, in: database) == "0" }

    /// Gives a photo's stickers the stem of the file that they were made from, as it is named now, unless the settings
    /// keep photos' names out of the outbox, or did so when the stickers were made (see `Schema.stems`).
    static func renameStickers(ofPhoto photo: String, inPack pack: String, in database: Database) throws {
        // The stickers' own columns do not tell: their files may have names from before the setting was changed.
        guard try !hidesStems(in: database) else { return }
        let row = try Row.fetchOne(
            database,
            cached: """
                SELECT path FROM file WHERE id = (
                    SELECT source FROM sticker WHERE photo = :photo AND pack = :pack ORDER BY ordinal LIMIT 1)
                """, arguments: ["photo": photo, "pack": pack])
        guard let path = row?["path"] as InboxPath? else { return }
        try database.execute(
            cached: """
                UPDATE sticker SET stem = :stem WHERE photo = :photo AND pack = :pack AND stem IS NOT :stem
                    AND (stem IS NOT NULL OR file NOT LIKE substr(photo, 1, 8) || '%')
                """, arguments: ["stem": path.stem, "photo": photo, "pack": pack])
    }

    /// Forgets a file that was moved to a path that another known file had, and has just arrived there: that file's row
    /// now stands for it.
    func replace(_ former: InboxPath, by arrival: Arrival, in database: Database) throws {
        guard let file = try Self.known(former, as: arrival, in: database), file.state != .processing,
            let target = try FileRecord.at(arrival.path, in: database)
        else { return }
        guard let photo = file.photo else { return _ = try file.move(.forget, in: database) }
        try recordDeparture(of: file, isRename: true, in: database)
        try database.execute(
            cached: "UPDATE stay SET leftFile = ? WHERE photo = ? AND pack = ?",
            arguments: [target.id, photo, file.pack])
        try database.execute(
            cached: "UPDATE file SET presence = 'left', leftAt = ? WHERE id = ?", arguments: [Date(), file.id])
    }

    private static func known(_ former: InboxPath, as arrival: Arrival, in database: Database) throws -> FileRecord? {
        try FileRecord.fetchOne(
            database,
            sql: """
                SELECT * FROM file WHERE path = ? AND NOT superseded AND inode = ? AND size = ? AND modified = ?
                """,
            arguments: [
                former, Int64(bitPattern: arrival.identity.inode), arrival.identity.size, arrival.identity.modified,
            ])
    }
}
