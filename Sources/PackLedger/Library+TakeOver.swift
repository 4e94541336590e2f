import FileNames
import Foundation
import GRDB
import OutboxLayout
import PhotoColors
package import PhotoLibrary
import PhotoRule
import SQLiteDatabase

/// What a Library that is new, or older than its outbox, takes over from the packs' indexes.
extension Library {
    /// A sticker as a pack's index lists it.
    package struct ListedSticker: Hashable, Sendable {
        /// As in `StickerRecord`.
        package let photo: String
        package let ordinal: Int
        let file: String
        let width: Int
        let height: Int
        let bytes: Int

        package init(photo: String, ordinal: Int, file: String, width: Int, height: Int, bytes: Int) {
            self.photo = photo
            self.ordinal = ordinal
            self.file = file
            self.width = width
            self.height = height
            self.bytes = bytes
        }

        /// What the index lists of a sticker in the Library.
        package init(_ sticker: StickerRecord) {
            self.init(
                photo: sticker.photo, ordinal: sticker.ordinal, file: sticker.file, width: sticker.width,
                height: sticker.height, bytes: sticker.bytes)
        }
    }

    /// The pack whose folder in the outbox this is, and the number of its last recorded index; nil if there is none.
    package func packState(inFolder folder: String) async throws -> (name: String, revision: Int)? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT name, revision FROM pack WHERE folder = ?", arguments: [folder])
                .map { ($0["name"], $0["revision"]) }
        }
    }

    /// Whether the Library has recorded each of these stickers and removals of a pack, whatever became of them since.
    package func hasRecorded(
        _ stickers: [ListedSticker], removed: [RemovedSticker], inPack pack: String
    ) async throws -> Bool {
        try await database.read { database in
            let areRemoved = try removed.allSatisfy { removed in
                try Self.isRemoved(removed.photo, ordinal: removed.ordinal, pack: pack, in: database)
            }
            return try areRemoved
                && stickers.allSatisfy { sticker in
                    try database.hasRow(
                        // A sticker without a digest is a reserved name.
                        cached: """
                            SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal
                                AND sha256 <> '' AND (NOT published
                                    OR file = :file AND width = :width AND height = :height AND bytes = :bytes)
                            UNION ALL SELECT 1 FROM withdrawn WHERE pack = :pack AND file = :file
                            UNION ALL
                            SELECT 1 FROM removed WHERE photo = :photo AND pack = :pack AND ordinal = :ordinal
                            """,
                        arguments: [
                            "photo": sticker.photo, "pack": pack, "ordinal": sticker.ordinal, "file": sticker.file,
                            "width": sticker.width, "height": sticker.height, "bytes": sticker.bytes,
                        ])
                }
        }
    }

    /// Makes a pack ready to take over `count` stickers, and has its index divided into new pages.
    ///
    /// - Parameters:
    ///   - pack: the inbox folder's name, empty for the root pack.
    ///   - folder: its folder in the outbox.
    ///   - count: the stickers that the index lists.
    ///   - removed: the stickers that users have removed, which leave the pack.
    /// - Returns: the place in the pack's order from which on that many are free, before all others; nil if the pack
    ///   has another folder, or the folder another pack.
    package func beginTakeOver(
        ofPack pack: String, folder: String, count: Int, removed: [RemovedSticker]
    ) async throws -> Int64? {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO recipe VALUES (?, '{}', ?)", arguments: [Self.unknownRecipe, Date()])
            try database.execute(
                sql: "INSERT OR IGNORE INTO pack (name, folder, folded) VALUES (?, ?, ?)",
                arguments: [pack, folder, FoldedName(folder).text])
            let own = try String.fetchOne(database, sql: "SELECT folder FROM pack WHERE name = ?", arguments: [pack])
            guard let own, own.isExactly(folder) else { return nil }
            try Self.removePages(ofPack: pack, in: database)
            try Self.record(removed, inPack: pack, in: database)
            let first = try Int64.fetchOne(
                database, sql: "SELECT MIN(arrival) FROM sticker WHERE pack = ?", arguments: [pack])
            return min(first ?? 0, 0) - Int64(count)
        }
    }

    /// Records stickers of a pack in their order. Unless the Library has the same file, their recipe is unknown.
    ///
    /// - Parameters:
    ///   - stickers: some of those that the index lists, in its order. Those that were found in the outbox are
    ///     recorded; the others only get their places, if the Library has them.
    ///   - pack: as `beginTakeOver`.
    ///   - place: in the pack's order, of the first.
    ///   - overrules: whether the index is certainly newer than what the Library has recorded: then what it lists is
    ///     neither removed nor withdrawn.
    /// - Returns: how many of them the Library has now.
    package func takeOver(
        _ stickers: [(listed: ListedSticker, found: PackSticker?)], inPack pack: String, from place: Int64,
        overrules: Bool
    ) async throws -> Int {
        try await database.write { database in
            for (offset, (listed, found)) in stickers.enumerated() {
                if let found, try Self.isFree(found.sticker, overrules, in: database) {
                    try Self.store(found, in: database)
                }
                try database.execute(
                    cached: "UPDATE sticker SET arrival = ? WHERE photo = ? AND pack = ? AND ordinal = ?",
                    arguments: [place + Int64(offset), listed.photo, pack, listed.ordinal])
            }
            return try stickers.count { listed, _ in
                try database.hasRow(
                    cached: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ? AND ordinal = ? AND published",
                    arguments: [listed.photo, pack, listed.ordinal])
            }
        }
    }

    /// Has the files of stickers that left the pack removed from the outbox once the pack's index is written again,
    /// unless stickers of the pack have them.
    package func withdraw(files: [String], thumbnails: [String], ofFormerInPack pack: String) async throws {
        guard !files.isEmpty || !thumbnails.isEmpty else { return }
        try await database.write { database in
            for file in files {
                try database.execute(
                    cached: """
                        INSERT OR IGNORE INTO withdrawn SELECT :pack, :file
                        WHERE NOT EXISTS (SELECT 1 FROM sticker WHERE pack = :pack AND file = :file)
                        """, arguments: ["pack": pack, "file": file])
            }
            for thumbnail in thumbnails {
                try database.execute(
                    cached: """
                        INSERT OR IGNORE INTO withdrawn SELECT :pack, :file WHERE NOT EXISTS (
                            SELECT 1 FROM sticker WHERE pack = :pack AND thumbnail = :thumbnail AND thumbnail IS NOT NULL)
                        """,
                    arguments: [
                        "pack": pack, "thumbnail": thumbnail, "file": OutboxSubfolder.thumbnails.file(thumbnail),
                    ])
            }
        }
    }

    /// Whether a sticker may be in its pack: no other has its name, and it was neither removed nor withdrawn, unless
    /// the index `overrules` that.
    private static func isFree(_ sticker: StickerRecord, _ overrules: Bool, in database: Database) throws -> Bool {
        let isTaken = try database.hasRow(
            cached: "SELECT 1 FROM sticker WHERE pack = ? AND file = ? AND NOT (photo = ? AND ordinal = ?)",
            arguments: [sticker.pack, sticker.file, sticker.photo, sticker.ordinal])
        guard !isTaken else { return false }
        if overrules {
            try database.execute(
                cached: "DELETE FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
                arguments: [sticker.photo, sticker.pack, sticker.ordinal])
            try database.execute(
                cached: "DELETE FROM withdrawn WHERE pack = ? AND file IN (?, ?)",
                arguments: [sticker.pack, sticker.file, sticker.thumbnailFile])
            return true
        }
        return try !isWithdrawn(sticker.file, ofPack: sticker.pack, in: database)
            && !isRemoved(sticker.photo, ordinal: sticker.ordinal, pack: sticker.pack, in: database)
    }

    private static func store(_ found: PackSticker, in database: Database) throws {
        let sticker = found.sticker
        try database.execute(
            cached: "INSERT OR IGNORE INTO photo (sha256, bytes, firstSeen) VALUES (?, 0, ?)",
            arguments: [sticker.photo, sticker.added])
        var arguments = try sticker.arguments(source: 0, arrival: 0)
        _ = arguments.append(contentsOf: ["unknown": unknownRecipe])
        try database.execute(
            cached: """
                INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                    modified, confidence, foundBy, added, thumbnail, stem, published)
                VALUES (:pack, :photo, :ordinal, :source, :unknown, :arrival, :file, :width, :height, :bytes, :sha256,
                    :modified, :confidence, :foundBy, :added, :thumbnail, :stem, 1)
                ON CONFLICT(photo, pack, ordinal) DO UPDATE SET published = 1, file = excluded.file,
                    recipe = iif(sha256 = excluded.sha256, recipe, excluded.recipe), width = excluded.width,
                    height = excluded.height, bytes = excluded.bytes, sha256 = excluded.sha256,
                    modified = excluded.modified, confidence = excluded.confidence, foundBy = excluded.foundBy,
                    added = excluded.added, stem = coalesce(stem, excluded.stem),
                    thumbnail = coalesce(excluded.thumbnail, thumbnail)
                """, arguments: arguments)
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO result (photo, recipe, outcome, confidence, colors, subjectColors, finished)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                sticker.photo, unknownRecipe, FileState.done, sticker.confidence, found.colors?.description,
                found.subjectColors?.description, sticker.added,
            ])
        try requestPalette(of: sticker, in: database)
        // A file that was waiting may have been archived or deleted since: that withdraws no sticker. It is hashed
        // again if it is still there.
        try database.execute(
            cached: "UPDATE file SET photo = NULL WHERE photo = ? AND pack = ? AND state = 'pending'",
            arguments: [sticker.photo, sticker.pack])
    }

    /// The recipe of stickers whose settings are unknown.
    package static let unknownRecipe = "unknown"
}
