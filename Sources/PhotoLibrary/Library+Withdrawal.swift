import Foundation
package import GRDB
import OutboxLayout
package import PhotoRule
import SQLiteDatabase
import Synchronization

/// Photos that leave packs, and stickers that do.
extension Library {
    /// Applies to files that leave the inbox from now on.
    package func adopt(_ rule: WhenPhotoRemoved) {
        withdrawsRemoved.store(rule == .withdraw, ordering: .relaxed)
    }

    /// Records that a file's photo leaves its pack: the evidence for a withdrawal, if no other file holds the photo
    /// there.
    ///
    /// - Parameter isRename: whether the file moves to another pack.
    func recordDeparture(
        of file: FileRecord, isRename: Bool = false, at date: Date = .now, in database: Database
    ) throws {
        try database.execute(
            cached: """
                INSERT INTO stay (photo, pack, leftSince, leftAt, leftUnder, leftFile, isRename)
                VALUES (:photo, :pack, :since, :date, :withdraws, :file, :isRename)
                ON CONFLICT DO UPDATE SET leftSince = coalesce(since, excluded.leftSince), leftAt = excluded.leftAt,
                    leftUnder = excluded.leftUnder, leftFile = excluded.leftFile, isRename = excluded.isRename
                """,
            arguments: [
                "photo": file.photo, "pack": file.pack, "since": file.since, "date": date,
                "withdraws": !isRename && withdrawsRemoved.load(ordering: .relaxed), "file": file.id,
                "isRename": isRename,
            ])
    }

    /// Records that a file left the inbox, but not by stickerd.
    func leave(_ file: FileRecord, at date: Date, in database: Database) throws {
        guard file.photo != nil else { return _ = try file.move(.forget, in: database) }
        try recordDeparture(of: file, at: date, in: database)
        try database.execute(
            cached: "UPDATE file SET presence = 'left', leftAt = ? WHERE id = ?", arguments: [date, file.id])
    }

    /// Has a file removed from the outbox once the index without it is written.
    static func withdraw(_ file: String, ofPack pack: String, in database: Database) throws {
        try database.execute(cached: "INSERT OR IGNORE INTO withdrawn VALUES (?, ?)", arguments: [pack, file])
    }

    /// Whether a file is to be removed from the outbox.
    package static func isWithdrawn(_ file: String, ofPack pack: String, in database: Database) throws -> Bool {
        try database.hasRow(cached: "SELECT 1 FROM withdrawn WHERE pack = ? AND file = ?", arguments: [pack, file])
    }

    /// Withdraws one of a photo's stickers in a pack, with its thumbnail. A reserved name, which a crash may have left,
    /// is withdrawn, too, but not while a sticker of the photo is being made.
    static func withdraw(ofPhoto photo: String, pack: String, ordinal: Int, in database: Database) throws {
        let sticker = try Row.fetchOne(
            database,
            cached: """
                DELETE FROM sticker WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal
                    AND (published OR NOT EXISTS (
                        SELECT 1 FROM attempt WHERE finished IS NULL AND attempt.photo = sticker.photo))
                RETURNING file, thumbnail
                """, arguments: ["photo": photo, "pack": pack, "ordinal": ordinal])
        guard let sticker else { return }
        try withdraw(sticker["file"], ofPack: pack, in: database)
        if let thumbnail = sticker["thumbnail"] as String? {
            try withdraw(OutboxSubfolder.thumbnails.file(thumbnail), ofPack: pack, in: database)
        }
    }

    /// Withdraws a sticker's old file if its name changes, and keeps a file with the new name from being removed.
    static func withdrawRenamed(_ sticker: StickerRecord, in database: Database) throws {
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO withdrawn
                SELECT pack, file FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND published AND file <> :file
                UNION ALL
                SELECT pack, :thumbnails || thumbnail FROM sticker
                WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal AND thumbnail <> :thumbnail
                """,
            arguments: StatementArguments(
                try sticker.databaseDictionary.merging(["thumbnails": OutboxSubfolder.thumbnails.prefix.databaseValue])
                { $1 }))
        try database.execute(
            cached: "DELETE FROM withdrawn WHERE pack = ? AND file IN (?, ?)",
            arguments: [sticker.pack, sticker.file, sticker.thumbnailFile])
    }
}
