import Foundation
import GRDB
import LinuxIO

/// Files that were renamed in the inbox.
extension PhotoLibrary {
    /// The former names of files whose names are new, by the new name. A file may still have its former name too
    /// (link(2)), which the Library cannot know.
    ///
    /// Inode change time is not compared, because rename(2) sets it. Files that stickerd moved or removed are left out;
    /// those that were taken out of the inbox may come back under another name.
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
                                AND NOT EXISTS (SELECT 1 FROM file WHERE path = :path)
                                AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                            """),
                    arguments: [
                        "device": Int64(bitPattern: arrival.identity.device),
                        "elsewhere": Int64(bitPattern: Self.elsewhere),
                        "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                        "modified": arrival.identity.modified, "path": arrival.path,
                    ])
            }
            return former
        }
    }

    /// Renames a file's row, which keeps its key, its arrival and its history. In another pack, the photo needs a
    /// sticker there; the former one is withdrawn once that is made, if stickers are withdrawn with their photos.
    static func rename(
        _ former: InboxPath, to arrival: Arrival, in database: Database
    ) throws -> (isKnown: Bool, isWaiting: Bool) {
        let file = try FileRecord.fetchOne(
            database, sql: "SELECT * FROM file WHERE path = ? AND inode = ? AND size = ? AND modified = ?",
            arguments: [
                former, Int64(bitPattern: arrival.identity.inode), arrival.identity.size, arrival.identity.modified,
            ])
        guard let file else { return (false, false) }
        let pack = arrival.path.pack ?? ""
        let isElsewhere = !file.pack.isExactly(pack) && (file.state == .done || file.state == .duplicate)
        if isElsewhere {
            try recordReplaced(file.photo, inPack: file.pack, by: file.id, in: database)
            try file.move(.repack, in: database)
        }
        try database.execute(
            sql: "UPDATE file SET path = ?, folder = ?, pack = ?, device = ?, changed = ? WHERE id = ?",
            arguments: [
                arrival.path, arrival.path.folder?.description ?? "", pack,
                Int64(bitPattern: arrival.identity.device), arrival.identity.changed, file.id,
            ])
        return (true, isElsewhere)
    }
}
