import Foundation
import GRDB
import OutboxLayout
package import PhotoColors
package import PhotoLibrary
import SQLiteDatabase

/// The packs' indexes: what they list, and that they are written.
extension Library {
    /// A sticker with the colors of its photo, as the Library or an index has them.
    package struct PackSticker: Sendable {
        package let sticker: StickerRecord
        /// Of the whole photo; nil if the release that made the sticker kept none.
        package let colors: PhotoColorSample?
        /// Of the subject alone; nil under the same condition.
        package let subjectColors: PhotoColorSample?

        package init(_ sticker: StickerRecord, colors: PhotoColorSample?, subjectColors: PhotoColorSample?) {
            (self.sticker, self.colors, self.subjectColors) = (sticker, colors, subjectColors)
        }
    }

    /// The root pack, and all packs with stickers or photos, in the order of their names. The cover is the first
    /// sticker's file or thumbnail, relative to the pack's folder; nil without one.
    package func links() async throws -> [(name: String, folder: String, stickers: Int, cover: String?)] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                cached: """
                    SELECT name, folder, coalesce(stickers, 0) AS stickers, (
                        SELECT coalesce(? || thumbnail, file) FROM sticker
                        WHERE pack = name AND published ORDER BY arrival, ordinal, id LIMIT 1) AS cover
                    FROM pack LEFT JOIN packStickers ON packStickers.pack = name
                    WHERE name = '' OR stickers > 0 OR EXISTS (
                        SELECT 1 FROM packTally WHERE packTally.pack = name AND files > 0
                            AND state IN ('pending', 'processing', 'failed', 'noSubject'))
                    ORDER BY name
                    """, arguments: [OutboxSubfolder.thumbnails.prefix]
            ).map { (name: $0["name"], folder: $0["folder"], stickers: $0["stickers"], cover: $0["cover"]) }
        }
    }

    /// Records that a pack's index with this number and date is written, and that withdrawn files, which it does not
    /// list, are gone from the outbox. A smaller number than the recorded one, which an old `pack.json` that another
    /// program restored may have, is not recorded. Does nothing if the pack has no folder yet.
    ///
    /// - Parameters:
    ///   - revision: the index's number.
    ///   - updated: its date, as it has it.
    ///   - files: those that are gone, relative to the pack's folder.
    ///   - listed: the keys of stickers that it lists and no earlier one did. A photo that has moved here leaves its
    ///     former pack now.
    ///   - pack: the index's.
    ///   - changes: files that were written with it, as `record(_:ofPack:isWhole:)` takes them.
    package func record(
        index revision: Int, updated: String = "", removed files: [String], listed: [Int64] = [], ofPack pack: String,
        with changes: [LedgerPart: [LedgerEntry]] = [:]
    ) async throws {
        try await database.write { database in
            try database.execute(
                cached: """
                    UPDATE pack SET revision = :revision, updated = :updated WHERE name = :name AND revision <= :revision
                    """, arguments: ["revision": revision, "updated": updated, "name": pack])
            try Self.record(changes, ofPack: pack, isWhole: true, in: database)
            for sticker in listed {
                try database.execute(
                    cached: "UPDATE sticker SET listed = 1 WHERE id = ? AND pack = ? AND published",
                    arguments: [sticker, pack])
            }
            for file in files {
                try database.execute(
                    cached: "DELETE FROM withdrawn WHERE pack = ? AND file = ?", arguments: [pack, file])
            }
        }
    }

    /// The first stickers of a pack in order of arrival.
    package func stickers(ofPack pack: String, limit: Int = .max) async throws -> [PackSticker] {
        try await database.read { try Self.stickers(ofPack: pack, limit: limit, in: $0) }
    }

    static func stickers(ofPack pack: String, limit: Int, in database: Database) throws -> [PackSticker] {
        try PackSticker.fetchAll(
            database,
            cached: """
                SELECT \(StickerRecord.columns), result.colors, result.subjectColors \(PackSticker.tables)
                WHERE pack = ? AND published ORDER BY arrival, ordinal, id LIMIT ?
                """, arguments: [pack, limit])
    }

    /// All stickers of a pack in order of arrival, except the first `skipped` ones.
    package func archivedStickers(ofPack pack: String, skipping skipped: Int = 0) async throws -> [StickerRecord] {
        try await database.read { database in
            let count =
                try Int.fetchOne(
                    database, cached: "SELECT stickers FROM packStickers WHERE pack = ?", arguments: [pack]) ?? 0
            // From the end, because SQLite reads every row that OFFSET skips.
            return try Row.fetchAll(
                database,
                cached: """
                    SELECT \(StickerRecord.columns) FROM sticker WHERE pack = ? AND published
                    ORDER BY arrival DESC, ordinal DESC, id DESC LIMIT ?
                    """, arguments: [pack, max(count - skipped, 0)]
            ).map(StickerRecord.init(numbered:)).reversed()
        }
    }

    /// The colors that a column has as text; nil if it has none.
    package static func sample(_ text: String?) -> PhotoColorSample? { text.flatMap { PhotoColorSample($0) } }
}

extension Library.PackSticker: FetchableRecord {
    /// With the sticker's columns, then the two of its colors, in the order in which `init(row:)` takes them.
    static let tables =
        "FROM sticker LEFT JOIN result ON result.photo = sticker.photo AND result.recipe = sticker.recipe"

    init(row: Row) {
        sticker = StickerRecord(numbered: row)
        colors = Library.sample(row[StickerRecord.columnCount])
        subjectColors = Library.sample(row[StickerRecord.columnCount + 1])
    }
}
