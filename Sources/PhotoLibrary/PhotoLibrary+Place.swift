import Foundation
import GRDB
package import LinuxIO

/// Which folder the inbox is, so that an unmounted one is not taken for an empty one.
extension PhotoLibrary {
    /// The device of files that lay in a folder which is the inbox no longer. The kernel gives no device this number.
    package static let elsewhere: UInt64 = 0

    /// The folder that was the inbox when it was last read; nil before the first time.
    package func inboxPlace() async throws -> FolderPlace? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM inboxPlace").map { row in
                FolderPlace(
                    device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]),
                    fileSystem: UInt64(bitPattern: row["fileSystem"]))
            }
        }
    }

    /// Up to `limit` files that should be in the inbox, the latest.
    package func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, device, inode, size, modified, changed FROM file
                    WHERE state <> 'ignored' AND NOT EXISTS (
                        SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival AND finished IS NOT NULL)
                    ORDER BY arrival DESC LIMIT ?
                    """, arguments: [limit])
            return rows.reduce(into: [:]) { files, row in
                if let path = InboxPath(escaped: row["path"]) { files[path] = Self.identity(row) }
            }
        }
    }

    /// The inbox is this folder from here on. A device that has another number now takes its files along; without it
    /// those of the former inbox lie elsewhere, if there was one.
    package func adopt(_ place: FolderPlace, renumbered devices: Set<UInt64>, isAnother: Bool) async throws {
        try await database.write { database in
            let device = Int64(bitPattern: place.device)
            if isAnother {
                try database.execute(
                    sql: "UPDATE file SET device = ?", arguments: [Int64(bitPattern: Self.elsewhere)])
            }
            for former in devices where former != place.device {
                try database.execute(
                    sql: "UPDATE file SET device = ? WHERE device = ?",
                    arguments: [device, Int64(bitPattern: former)])
                try database.execute(
                    sql: "UPDATE original SET device = ? WHERE device = ? AND finished IS NULL",
                    arguments: [device, Int64(bitPattern: former)])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO inboxPlace VALUES (1, ?, ?, ?, ?)",
                arguments: [
                    device, Int64(bitPattern: place.inode), Int64(bitPattern: place.fileSystem), Date(),
                ])
        }
    }
}
