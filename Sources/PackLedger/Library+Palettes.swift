import GRDB
package import PhotoColors
package import PhotoLibrary
import SQLiteDatabase

/// The palette files to write beside the stickers.
extension Library {
    /// A photo whose palette files in a pack may have to change.
    package struct DuePalette: FetchableRecord, Sendable {
        /// SHA-256, lowercase hexadecimal.
        package let photo: String
        /// The files' name without extension.
        package let stem: String
        /// The colors of the latest result that has some: a later try may have failed. Nil if none has.
        package let colors: PhotoColorSample?
        /// Counts the requests.
        fileprivate let requests: Int

        init(row: Row) {
            (photo, stem, requests) = (row["photo"], row["stem"], row["due"])
            colors = Library.sample(row["colors"])
        }
    }

    /// Marks every palette as due if the settings for palettes have changed.
    ///
    /// - Parameter identity: identifies everything that the files depend on besides the photo.
    package func adoptPalettes(_ identity: String) async throws {
        try await database.write { database in
            guard try Self.meta("palettes", in: database) != identity else { return }
            try database.execute(sql: "UPDATE palette SET due = due + 1")
            try Self.setMeta("palettes", identity, in: database)
        }
    }

    private static let paletteFacts = """
        (SELECT colors FROM result WHERE result.photo = palette.photo AND colors IS NOT NULL
            ORDER BY finished DESC LIMIT 1) AS colors, photo, stem, due
        """

    /// At most `limit` palettes with files to write.
    package func duePalettes(ofPack pack: String, limit: Int) async throws -> [DuePalette] {
        try await database.read { database in
            try DuePalette.fetchAll(
                database,
                // INDEXED BY: otherwise SQLite chooses the primary key and reads every palette of the pack.
                cached: """
                    SELECT \(Self.paletteFacts) FROM palette INDEXED BY paletteDue WHERE pack = ? AND due LIMIT ?
                    """, arguments: [pack, limit])
        }
    }

    /// At most `limit` palettes without files to write, after a photo.
    package func writtenPalettes(ofPack pack: String, after photo: String, limit: Int) async throws -> [DuePalette] {
        try await database.read { database in
            try DuePalette.fetchAll(
                database,
                cached: """
                    SELECT \(Self.paletteFacts) FROM palette
                    WHERE pack = ? AND photo > ? AND NOT due ORDER BY photo LIMIT ?
                    """, arguments: [pack, photo, limit])
        }
    }

    /// Marks a photo's palettes in a pack as changed.
    package func markChanged(paletteOf photo: String, ofPack pack: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE palette SET due = due + 1 WHERE pack = ? AND photo = ?", arguments: [pack, photo])
        }
    }

    /// Records that files are up to date, except those that were requested again since they were read. Those of photos
    /// that have left since are to be removed.
    ///
    /// - Parameters:
    ///   - palettes: as `duePalettes` returned them.
    ///   - pack: theirs.
    ///   - changes: the files, as `record(_:ofPack:isWhole:)` takes them.
    package func wrote(
        _ palettes: [DuePalette], ofPack pack: String, with changes: [LedgerPart: [LedgerEntry]]
    ) async throws {
        try await database.write { database in
            try Self.record(changes, ofPack: pack, isWhole: true, in: database)
            for palette in palettes {
                try database.execute(
                    cached: "UPDATE palette SET due = 0 WHERE pack = ? AND photo = ? AND due = ?",
                    arguments: [pack, palette.photo, palette.requests])
                try database.execute(
                    cached: """
                        UPDATE ledger INDEXED BY ledgerByPart SET unwanted = 1
                        WHERE pack = :pack AND part = 'palettes/' || :photo
                            AND NOT EXISTS (SELECT 1 FROM palette WHERE pack = :pack AND photo = :photo)
                        """, arguments: ["pack": pack, "photo": palette.photo])
            }
        }
    }
}
