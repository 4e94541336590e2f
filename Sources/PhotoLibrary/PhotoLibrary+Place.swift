import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// Which folder the inbox is, so that an unmounted one is not taken for an empty one.
extension PhotoLibrary {
    /// The device of files that lay in a folder which is the inbox no longer, or that somebody took out of the inbox. The
    /// kernel gives no device this number.
    package static let elsewhere: UInt64 = 0

    /// The folder that was the inbox at this path when it was last read; nil where there was none, or at another path.
    package func inboxPlace(at path: FilePath) async throws -> FolderPlace? {
        try await database.read { try Self.inboxPlace(at: path, in: $0) }
    }

    /// Whether a Library in `folder` remembers an inbox at this path; false where there is no Library that can be read.
    package static func hasInbox(at path: FilePath, in folder: FilePath) -> Bool {
        let place = try? reading(in: folder) { try inboxPlace(at: path, in: $0) }
        return place != nil
    }

    static func inboxPlace(at path: FilePath, in database: Database) throws -> FolderPlace? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM inboxPlace WHERE path = ?",
            arguments: [InboxPath(bytes: path.bytes).description]
        ).map { row in
            FolderPlace(
                device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]),
                fileSystem: UInt64(bitPattern: row["fileSystem"]))
        }
    }

    /// Up to `limit` files that should be in the inbox, the latest.
    package func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, device, inode, size, modified, changed FROM file
                    WHERE state <> 'ignored' AND leftAt IS NULL ORDER BY arrival DESC LIMIT ?
                    """, arguments: [limit])
            return rows.reduce(into: [:]) { files, row in
                if let path = InboxPath(escaped: row["path"]) { files[path] = Self.identity(row) }
            }
        }
    }

    /// The inbox is this folder from here on.
    ///
    /// - Parameters:
    ///   - devices: that have another number now, and take their files along.
    ///   - isAnother: files known before lie elsewhere.
    package func adopt(
        _ place: FolderPlace, at path: FilePath, renumbered devices: Set<UInt64>, isAnother: Bool
    ) async throws {
        let path = InboxPath(bytes: path.bytes).description
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
                sql: "INSERT OR REPLACE INTO inboxPlace VALUES (1, ?, ?, ?, ?, ?)",
                arguments: [
                    path, device, Int64(bitPattern: place.inode), Int64(bitPattern: place.fileSystem), Date(),
                ])
        }
    }
}
