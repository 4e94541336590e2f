import Foundation
import GRDB
package import LinuxIO
import SystemPackage

/// Withdraws stickers that are no longer wanted, and finds the daemon to wake for that.
extension PhotoLibrary {
    /// Writes down which process owns the Library, for those who want to wake it.
    package func recordProcess(_ process: ProcessIdentity) async throws {
        try await database.write { try Self.setMeta("process", "\(process)", in: $0) }
    }

    /// The daemon to wake; nil if none has the Library of this folder, or it is still starting.
    static func daemon(of folder: FilePath, in database: Database) throws -> ProcessIdentity? {
        guard FileLock.isHeld(at: folder.appending(lockName)) else { return nil }
        return try meta("process", in: database).flatMap { ProcessIdentity($0) }
    }

    /// Files of a pack that are in no index any more, relative to its folder.
    package func withdrawnFiles(ofPack pack: String) async throws -> [String] {
        try await database.read { database in
            try String.fetchAll(database, sql: "SELECT file FROM withdrawn WHERE pack = ?", arguments: [pack])
        }
    }

    /// They are gone from the outbox.
    package func forgetWithdrawn(_ files: [String], ofPack pack: String) async throws {
        try await database.write { database in
            for file in files {
                try database.execute(
                    sql: "DELETE FROM withdrawn WHERE pack = ? AND file = ?", arguments: [pack, file])
            }
        }
    }

    /// Takes back the stickers of a photo in a pack, from one ordinal on, with their thumbnails.
    static func withdraw(ofPhoto photo: String, pack: String, fromOrdinal ordinal: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker WHERE photo = :photo AND pack = :pack AND ordinal >= :ordinal AND published
                UNION ALL
                SELECT pack, 'thumbnails/' || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal >= :ordinal AND thumbnail IS NOT NULL
                """, arguments: ["photo": photo, "pack": pack, "ordinal": ordinal])
        try database.execute(
            sql: "DELETE FROM sticker WHERE photo = ? AND pack = ? AND ordinal >= ?", arguments: [photo, pack, ordinal])
    }

    /// The old file of a sticker that has another name from now on; the new name is no longer to be removed.
    static func withdrawRenamed(_ sticker: StickerRecord, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND published AND file <> :file
                UNION ALL
                SELECT pack, 'thumbnails/' || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND thumbnail <> :thumbnail
                """,
            arguments: [
                "photo": sticker.photo, "pack": sticker.pack, "ordinal": sticker.ordinal, "file": sticker.file,
                "thumbnail": sticker.thumbnail,
            ])
        try database.execute(
            sql: "DELETE FROM withdrawn WHERE pack = ? AND file IN (?, 'thumbnails/' || ?)",
            arguments: [sticker.pack, sticker.file, sticker.thumbnail])
    }
}
