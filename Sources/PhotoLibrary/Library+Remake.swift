package import FileNames
package import GRDB
import OutboxLayout
import SQLiteDatabase
import Synchronization

/// Requeues photos whose stickers or thumbnails are missing from the outbox.
extension Library {
    /// Requeues the photos whose thumbnails are missing from the outbox. Their stickers stay in the pack without a
    /// thumbnail until they are remade. Returns how many photos were requeued.
    ///
    /// Works in batches, so that other calls run in between; if it is interrupted, the next audit finds the rest.
    package func remake(thumbnails: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(thumbnails, ofPack: pack) { thumbnail, database in
            let photo = try String.fetchOne(
                database,
                sql: "UPDATE sticker SET stale = 1, thumbnail = NULL WHERE pack = ? AND thumbnail = ? RETURNING photo",
                arguments: [pack, thumbnail.text])
            return try Self.isWaiting(photo, inPack: pack, in: database)
        }
    }

    /// Removes stickers that are missing from the outbox from the pack, and requeues their photos if the inbox still
    /// has a file with the photo, under any name. They keep their places in the pack. Returns how many photos were
    /// requeued.
    ///
    /// Works in batches, as above.
    package func remake(_ files: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(files, ofPack: pack) { try Self.remake($0.text, inPack: pack, in: $1) }
    }

    /// Stickers of a pack with these names whose photos are not waiting there: while one is, its sticker's file may be
    /// newer than its row.
    package func finishedStickers(ofPack pack: String, among names: Set<ExactName>) async throws -> [StickerRecord] {
        try await database.read { database in
            try names.compactMap { name in
                try StickerRecord.fetchOne(
                    database,
                    cached: """
                        SELECT * FROM sticker WHERE pack = ? AND file = ? AND published AND NOT EXISTS (SELECT 1 FROM file
                            WHERE photo = sticker.photo AND pack = sticker.pack AND state IN ('pending', 'processing'))
                        """, arguments: [pack, name.text])
            }
        }
    }

    /// Stickers of a pack that were missing from the outbox, and are not being made again.
    package func unpublishedStickers(ofPack pack: String) async throws -> [StickerRecord] {
        try await database.read { database in
            try StickerRecord.fetchAll(
                database,
                // A sticker without a digest is a reserved name.
                sql: """
                    SELECT * FROM sticker WHERE pack = ? AND NOT published AND sha256 <> '' AND NOT EXISTS (
                        SELECT 1 FROM file WHERE photo = sticker.photo AND pack = sticker.pack
                            AND state IN ('pending', 'processing'))
                    """, arguments: [pack])
        }
    }

    /// Stickers of a pack whose thumbnails were missing from the outbox, and which are not being made again.
    package func stickersWithoutThumbnail(ofPack pack: String) async throws -> [StickerRecord] {
        try await database.read { database in
            try StickerRecord.fetchAll(
                database,
                sql: """
                    SELECT * FROM sticker WHERE pack = ? AND published AND thumbnail IS NULL AND NOT EXISTS (
                        SELECT 1 FROM file WHERE photo = sticker.photo AND pack = sticker.pack
                            AND state IN ('pending', 'processing'))
                    """, arguments: [pack])
        }
    }

    /// Records that the outbox has these stickers again, and which thumbnails it has.
    package func relist(_ stickers: [StickerRecord], thumbnails: Set<ExactName>) async throws {
        guard !stickers.isEmpty else { return }
        try await database.write { database in
            for sticker in stickers {
                let thumbnail = OutboxName.thumbnail(ofSticker: sticker.file)
                let isThere = thumbnails.contains(ExactName(thumbnail))
                try database.execute(
                    cached: """
                        UPDATE sticker SET published = 1, stale = iif(published, 0, stale),
                            thumbnail = coalesce(thumbnail, ?)
                        WHERE pack = ? AND file = ? AND sha256 = ?
                        """,
                    arguments: [isThere ? thumbnail : nil, sticker.pack, sticker.file, sticker.sha256])
                // It was withdrawn meanwhile.
                guard database.changesCount > 0 else { continue }
                try database.execute(
                    cached: "DELETE FROM withdrawn WHERE pack = ? AND file = ?",
                    arguments: [sticker.pack, OutboxSubfolder.thumbnails.file(thumbnail)])
                // They went with the sticker.
                try Self.requestPalette(of: sticker, in: database)
            }
        }
    }

    /// Has stickers remade whose files others have changed, and takes them out of their packs until then. Leaves alone
    /// those whose photos the inbox does not have any more, those that were made again meanwhile, and those that have
    /// been changed too often since the start. Returns how many are remade.
    package func remake(changed stickers: [StickerRecord]) async throws -> Int {
        var count = 0
        for sticker in stickers {
            let key = ExactName("\(sticker.pack)/\(sticker.file)")
            guard changes.withLock({ $0[key, default: 0] < Self.mostChanges }) else { continue }
            let isRemade = try await database.write { database in
                guard
                    try StickerRecord.fetchOne(
                        database, cached: "SELECT * FROM sticker WHERE pack = ? AND file = ? AND published",
                        arguments: [sticker.pack, sticker.file]) == sticker
                else { return false }
                var isWaiting = false
                try database.inSavepoint {
                    isWaiting = try Self.remake(sticker.file, inPack: sticker.pack, in: database)
                    return isWaiting ? .commit : .rollback
                }
                return isWaiting
            }
            guard isRemade else { continue }
            count += 1
            changes.withLock { $0[key, default: 0] += 1 }
        }
        return count
    }

    /// How often a sticker that others change is remade: another program may change each new file.
    private static let mostChanges = 3

    /// Records the modification times of stickers' files whose contents are as recorded.
    package func record(modified times: [(sticker: StickerRecord, modified: Int64)]) async throws {
        let changed = times.filter { $0.sticker.modified != $0.modified }
        guard !changed.isEmpty else { return }
        try await database.write { database in
            for (sticker, modified) in changed {
                try database.execute(
                    cached: "UPDATE sticker SET modified = ? WHERE pack = ? AND file = ? AND sha256 = ?",
                    arguments: [modified, sticker.pack, sticker.file, sticker.sha256])
            }
        }
    }

    private func inBatches(
        _ names: Set<ExactName>, ofPack pack: String, remake: @escaping @Sendable (ExactName, Database) throws -> Bool
    ) async throws -> Int {
        var rest = names.sorted()[...]
        var count = 0
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            count += try await database.write { database in try batch.count { try remake($0, database) } }
        }
        return count
    }

    /// Takes a sticker out of its pack. Returns whether its photo was requeued.
    package static func remake(_ file: String, inPack pack: String, in database: Database) throws -> Bool {
        let sticker = try Row.fetchOne(
            database,
            sql: "UPDATE sticker SET published = 0, listed = 0 WHERE pack = ? AND file = ? RETURNING photo, thumbnail",
            arguments: [pack, file])
        // The photo may be back where stickerd had moved it: nothing watches that folder.
        try database.execute(
            sql: """
                UPDATE file SET failure = NULL WHERE photo = ? AND pack = ? AND failure IS NOT NULL
                    AND presence IN ('archived', 'setAside')
                """, arguments: [sticker?["photo"], pack])
        if try isWaiting(sticker?["photo"], inPack: pack, in: database) { return true }
        // Its thumbnail goes, too. The sticker keeps its name for the photo's return.
        if let thumbnail = sticker?["thumbnail"] as String? {
            try withdraw(OutboxSubfolder.thumbnails.file(thumbnail), ofPack: pack, in: database)
        }
        try database.execute(
            sql: "UPDATE sticker SET thumbnail = NULL WHERE pack = ? AND file = ?", arguments: [pack, file])
        return false
    }

    /// Whether a photo is to be worked on in a pack, as decided now.
    private static func isWaiting(_ photo: String?, inPack pack: String, in database: Database) throws -> Bool {
        try decideTouched(in: database)
        return try database.hasRow(
            cached: "SELECT 1 FROM file WHERE photo = ? AND pack = ? AND state IN ('pending', 'processing') LIMIT 1",
            arguments: [photo, pack])
    }
}
