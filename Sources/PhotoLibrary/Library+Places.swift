import FileNames
import Foundation
package import GRDB
import PhotoRule
import SQLiteDatabase
package import LinuxIO
package import SystemPackage

/// The identity of the inbox folder, so that an unmounted one is not mistaken for an empty one.
extension Library {
    /// The folder that this path led to when the inbox was last read; nil if there was none, or it was at another path.
    package func inboxPlace(at path: FilePath) async throws -> DirectoryIdentity? {
        try await database.read { try Self.inboxPlace(at: path, in: $0) }
    }

    /// Whether a Library in `folder` has recorded an inbox at this path; false if no Library can be read.
    package static func hasInbox(at path: FilePath, in folder: FilePath) -> Bool {
        let place = try? reading(in: folder) { try inboxPlace(at: path, in: $0) }
        return place != nil
    }

    /// Whether this path leads to another folder than the inbox was when it was last read, by the Library in `folder`:
    /// what is moved there may be hidden once the inbox's disk is mounted.
    package static func isInboxAway(_ path: FilePath, in folder: FilePath) -> Bool {
        guard let place = try? reading(in: folder, { try inboxPlace(at: path, in: $0) }) else { return false }
        return (try? DirectoryIdentity(of: path))?.isSame(as: place) != true
    }

    /// The same in a transaction.
    package static func inboxPlace(at path: FilePath, in database: Database) throws -> DirectoryIdentity? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM inboxPlace WHERE path = ?",
            arguments: [InboxPath(bytes: path.bytes)]
        ).map { row in
            DirectoryIdentity(
                device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]),
                fileSystem: UInt64(bitPattern: row["fileSystem"]))
        }
    }

    /// Records the identity of the inbox.
    ///
    /// - Parameters:
    ///   - devices: the former numbers of the device of `place`.
    ///   - isAnother: whether the known files are in another folder.
    package func recordInbox(
        _ place: DirectoryIdentity, at path: FilePath, renumbered devices: Set<UInt64>, isAnother: Bool
    ) async throws {
        let path = InboxPath(bytes: path.bytes)
        try await database.write { database in
            let device = Int64(bitPattern: place.device)
            if isAnother {
                try database.execute(
                    sql: """
                        UPDATE file SET presence = 'unknown', leftAt = ?
                        WHERE photo IS NOT NULL AND presence IN ('here', 'unread')
                        """, arguments: [Date()])
                // They are tried no more; if the former inbox returns, its files arrive again.
                try database.execute(sql: "DELETE FROM original WHERE finished IS NULL")
                try Self.postponeTouched(in: database)
                let unread = try FileRecord.fetchAll(
                    database, sql: "SELECT * FROM file WHERE photo IS NULL AND leftAt IS NULL AND state <> 'processing'"
                )
                try unread.move(.forget, in: database)
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
                arguments: [path, device, Int64(bitPattern: place.inode), Int64(bitPattern: place.fileSystem), Date()])
        }
    }
}

/// The identities of the folders that photos are moved to, so that none lands below a mount point without its disk.
extension Library {
    private static func place(_ key: String, in database: Database) throws -> DirectoryIdentity? {
        let numbers = try meta(key, in: database)?.split(separator: " ").compactMap { UInt64($0) }
        guard let numbers, numbers.count == 3 else { return nil }
        return DirectoryIdentity(device: numbers[0], inode: numbers[1], fileSystem: numbers[2])
    }

    private static func setPlace(_ key: String, _ place: DirectoryIdentity, in database: Database) throws {
        let numbers = [place.device, place.inode, place.fileSystem].map(String.init).joined(separator: " ")
        try setMeta(key, numbers, in: database)
    }

    private static func receiverKey(_ folder: FilePath) -> String { "receiver \(InboxPath(bytes: folder.bytes))" }

    /// The folder when it was last recognized; nil before the first time.
    package func receiverPlace(at folder: FilePath) async throws -> DirectoryIdentity? {
        try await database.read { try Self.place(Self.receiverKey(folder), in: $0) }
    }

    /// The same from a Library that may be another process's; nil if none can be read.
    package static func receiverPlace(at folder: FilePath, in state: FilePath) -> DirectoryIdentity? {
        (try? reading(in: state) { try place(receiverKey(folder), in: $0) }) ?? nil
    }

    /// Records the identity of such a folder.
    package func rememberReceiver(_ folder: FilePath, at place: DirectoryIdentity) async throws {
        try await database.write { try Self.setPlace(Self.receiverKey(folder), place, in: $0) }
    }

    /// Up to `limit` originals that were moved to a folder, latest first.
    package func latestMoved(to folder: FilePath, limit: Int) async throws -> [Original] {
        let folder = InboxPath(bytes: folder.bytes).description
        return try await database.read { database in
            try Original.fetchAll(
                database,
                // Later ones may all be in another folder. `0` is the character after `/`.
                sql: """
                    SELECT * FROM original WHERE finished IS NOT NULL AND outcome = ? AND target > ? AND target < ?
                    ORDER BY finished DESC LIMIT ?
                    """,
                arguments: [Original.Outcome.moved, folder + "/", folder + "0", limit])
        }
    }
}
