import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// Making stickers again, and taking back what is no longer wanted.
extension PhotoLibrary {
    /// Asks for stickers anew, with the daemon of this state folder running or not: their photos go back to the queue, at
    /// their place, as far as the inbox still has them. Old stickers stay until the new ones are there.
    ///
    /// - Parameter recipe: what was made with this recipe is left alone; nil for all.
    /// - Returns: how many files are waiting now, and the process to wake where a daemon is running.
    /// - Throws: `LibraryError` where there is no Library that can be written.
    package static func requestRemake(
        in folder: FilePath, otherThan recipe: String?
    ) throws -> (files: Int, daemon: ProcessIdentity?) {
        guard OwnedDescriptor.exists(folder.appending(fileName)) else { throw LibraryError.missing(folder) }
        do {
            return try requestRemake(in: folder, otherThan: recipe, try connect(to: folder))
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }

    private static func requestRemake(
        in folder: FilePath, otherThan recipe: String?, _ database: DatabaseQueue
    ) throws -> (files: Int, daemon: ProcessIdentity?) {
        try database.write { database in
            try database.execute(
                sql: "UPDATE sticker SET stale = 1 WHERE published AND (:recipe IS NULL OR recipe <> :recipe)",
                arguments: ["recipe": recipe])
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = 0, reason = NULL, stateSince = :now
                    WHERE (state IN ('done', 'duplicate') AND EXISTS (
                            SELECT 1 FROM sticker WHERE stale AND photo = file.photo AND sticker.pack = file.pack))
                        OR (state = 'noSubject' AND NOT EXISTS (
                            SELECT 1 FROM result WHERE photo = file.photo AND recipe = :recipe))
                    """, arguments: ["now": Date(), "recipe": recipe])
            let files = database.changesCount
            return (files, try daemon(of: folder, in: database))
        }
    }

    /// Writes down which process owns the Library, for those who want to wake it.
    package func recordProcess(_ process: ProcessIdentity) async throws {
        try await database.write { try Self.setMeta("process", "\(process)", in: $0) }
    }

    /// The process to wake; nil if none has the Library of this folder, or is still starting.
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
