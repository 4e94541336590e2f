import Foundation
import GRDB
import LinuxIO

/// Files that got another name in the inbox: the same file, not a new one.
extension PhotoLibrary {
    /// For files whose names are new: the name under which the same bytes were known, where there is one. Whether the
    /// file is still there too (link(2) gives one file two names) the Library does not know.
    ///
    /// Inode change time is left out, because rename(2) sets it. What was moved or removed here is no longer known; what
    /// somebody took out of the inbox may come back under another name.
    package func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath] {
        try await database.read { database in
            var former: [InboxPath: InboxPath] = [:]
            for arrival in arrivals {
                guard case .ready = arrival.verdict else { continue }
                let path = try String.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT path FROM file
                            WHERE device IN (:device, :elsewhere)
                                AND inode = :inode AND size = :size AND modified = :modified
                                AND path <> :path AND state <> 'ignored'
                                AND NOT EXISTS (SELECT 1 FROM file WHERE path = :path)
                                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                            """),
                    arguments: [
                        "device": Int64(bitPattern: arrival.identity.device),
                        "elsewhere": Int64(bitPattern: Self.elsewhere),
                        "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                        "modified": arrival.identity.modified, "path": arrival.path.description,
                    ])
                former[arrival.path] = path.flatMap { InboxPath(escaped: $0) }
            }
            return former
        }
    }

    /// The row keeps its key, its arrival and its story. In another pack the photo has to be a sticker there too, which
    /// is a copy, and the one it had goes when that is made, where stickers go with their photos.
    static func rename(
        _ former: InboxPath, to arrival: Arrival, in database: Database
    ) throws -> (isKnown: Bool, isWaiting: Bool) {
        guard
            let row = try Row.fetchOne(
                database,
                sql: "SELECT id, pack, state FROM file WHERE path = ? AND inode = ? AND size = ? AND modified = ?",
                arguments: [
                    former.description, Int64(bitPattern: arrival.identity.inode), arrival.identity.size,
                    arrival.identity.modified,
                ])
        else { return (false, false) }
        let file: Int64 = row["id"]
        let pack = arrival.path.pack ?? ""
        let isElsewhere =
            !(row["pack"] as String).isExactly(pack) && ["done", "duplicate"].contains(row["state"] as String)
        if isElsewhere {
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO replaced SELECT id, photo, pack FROM file WHERE id = ? AND photo IS NOT NULL
                    """, arguments: [file])
            try database.execute(
                sql: "UPDATE file SET state = 'pending', reason = NULL, stateSince = ? WHERE id = ?",
                arguments: [Date(), file])
        }
        try database.execute(
            sql: "UPDATE file SET path = ?, folder = ?, pack = ?, device = ?, changed = ? WHERE id = ?",
            arguments: [
                arrival.path.description, arrival.path.folder?.description ?? "", pack,
                Int64(bitPattern: arrival.identity.device), arrival.identity.changed, file,
            ])
        return (true, isElsewhere)
    }
}
