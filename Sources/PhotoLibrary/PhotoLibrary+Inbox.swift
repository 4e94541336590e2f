import Foundation
import GRDB
package import LinuxIO

/// What the Inbox asks and tells.
extension PhotoLibrary {
    /// The files known directly in one folder (nil: the inbox's root), in any state, as they were when recorded, except
    /// those that have left the inbox.
    package func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity] {
        try await database.read { database in
            var known: [InboxPath: FileIdentity] = [:]
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT path, device, inode, size, modified, changed FROM file
                    WHERE folder = ? AND leftAt IS NULL
                    """,
                arguments: [folder?.description ?? ""])
            while let row = try rows.next() {
                guard let path = InboxPath(escaped: row["path"]) else { continue }
                known[path] = Self.identity(row)
            }
            return known
        }
    }

    /// The folders of all such files; nil is the inbox's root.
    package func knownFolders() async throws -> [InboxPath?] {
        try await database.read { database in
            // Reads one index entry for each folder; DISTINCT would read one for each file.
            try String.fetchAll(
                database,
                sql: """
                    WITH RECURSIVE known(folder) AS (
                        SELECT min(folder) FROM file WHERE leftAt IS NULL
                        UNION ALL
                        SELECT (SELECT min(folder) FROM file WHERE folder > known.folder AND leftAt IS NULL) FROM known
                        WHERE known.folder IS NOT NULL)
                    SELECT folder FROM known WHERE folder IS NOT NULL
                    """
            )
            .map { $0.isEmpty ? nil : InboxPath(escaped: $0) }
        }
    }

    /// Writes down what came in, in this order, and returns how many files are now waiting that were not before.
    ///
    /// A file recorded before with the same identity is left as it is. One whose identity differs, or that had left the
    /// inbox, starts again at the end of the queue, with its attempts forgotten.
    ///
    /// - Parameter renamed: of files that had another name before, that name: they are no news but in another pack.
    package func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath] = [:]) async throws -> Int {
        let (pending, packs) = try await database.write { database in
            var pending = 0
            var packs: Set<ExactName> = []
            var next = try Self.lastArrival(in: database) + 1
            for arrival in arrivals {
                let (state, reason): (FileState, String?) =
                    switch arrival.verdict {
                    case .ready: (.pending, nil)
                    case .ignored(let reason): (.ignored, reason)
                    }
                let pack = arrival.path.pack ?? ""
                if let former = renamed[arrival.path] {
                    let (isKnown, isWaiting) = try Self.rename(former, to: arrival, in: database)
                    if isWaiting { pending += 1 }
                    if isKnown { packs.formUnion([ExactName(pack), ExactName(former.pack ?? "")]) }
                    if isKnown { continue }
                }
                // Files can arrive by the thousand, and the triggers make the statement costly to prepare.
                try database.cachedStatement(
                    sql: """
                        INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state,
                            reason, stateSince)
                        VALUES (:path, :folder, :pack, :device, :inode, :size, :modified, :changed, :arrival, :state,
                            :reason, :now)
                        ON CONFLICT(path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
                            size = excluded.size, modified = excluded.modified, changed = excluded.changed,
                            arrival = excluded.arrival, state = excluded.state, reason = excluded.reason,
                            photo = NULL, attempts = 0, stateSince = excluded.stateSince
                        WHERE (device, inode, size, modified, changed) IS NOT
                            (excluded.device, excluded.inode, excluded.size, excluded.modified, excluded.changed)
                            OR (state = 'ignored') <> (excluded.state = 'ignored') OR file.leftAt IS NOT NULL
                        """
                ).execute(arguments: [
                    "path": arrival.path.description, "folder": arrival.path.folder?.description ?? "",
                    "pack": pack,
                    "device": Int64(bitPattern: arrival.identity.device),
                    "inode": Int64(bitPattern: arrival.identity.inode), "size": arrival.identity.size,
                    "modified": arrival.identity.modified, "changed": arrival.identity.changed, "arrival": next,
                    "state": state.rawValue, "reason": reason, "now": Date(),
                ])
                guard database.changesCount > 0 else { continue }
                next += 1
                guard state == .pending else { continue }
                pending += 1
                packs.insert(ExactName(pack))
            }
            return (pending, packs)
        }
        markChanged(packs)
        return pending
    }

    /// Files that are gone from the inbox: those waiting, ignored or failed are forgotten, finished ones stay as history,
    /// `elsewhere`, unless their stickers are withdrawn with them; those that were moved or removed here stay in any case.
    package func forget(_ paths: [InboxPath]) async throws {
        let packs = try await database.write { database in
            var packs = try self.withdrawStickers(ofRemovedFiles: paths, in: database)
            for path in paths {
                let waiting = try Int64.fetchOne(
                    database, sql: "SELECT id FROM file WHERE path = ? AND state IN ('pending', 'ignored')",
                    arguments: [path.description])
                if let waiting { packs.formUnion(try self.withdrawReplaced(by: waiting, photo: nil, in: database)) }
                try database.execute(
                    sql: """
                        DELETE FROM file WHERE path = ? AND state IN ('pending', 'ignored', 'failed')
                            AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                        """,
                    arguments: [path.description])
                if database.changesCount > 0 { packs.insert(ExactName(path.pack ?? "")) }
                try database.execute(
                    sql: """
                        UPDATE file SET device = ? WHERE path = ? AND state IN ('done', 'duplicate', 'noSubject')
                            AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                        """, arguments: [Int64(bitPattern: Self.elsewhere), path.description])
            }
            return packs
        }
        markChanged(packs)
    }

    static func identity(_ row: Row) -> FileIdentity {
        FileIdentity(
            device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]), size: row["size"],
            modified: row["modified"], changed: row["changed"])
    }
}
