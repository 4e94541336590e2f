import GRDB
package import PhotoColors

/// The palette files to write beside the stickers.
extension PhotoLibrary {
    /// The palette files of one photo in one pack, to be written or removed.
    package struct DuePalette: Sendable {
        /// SHA-256, lowercase hexadecimal.
        package let photo: String
        /// The files' name without extension.
        package let stem: String
        /// The formats that may exist already, as recorded by `wrote`.
        package let written: [String]
        /// Whether the files are to be removed, in all formats.
        package let isGone: Bool
        /// The colors of the latest result; nil if it has none.
        package let colors: PhotoColorSample?
    }

    /// Marks every palette as due if the settings for palettes have changed.
    ///
    /// - Parameter identity: identifies everything that the files depend on besides the photo.
    package func adoptPalettes(_ identity: String) async throws {
        try await database.write { database in
            guard try Self.meta("palettes", in: database) != identity else { return }
            try database.execute(sql: "UPDATE palette SET due = 1")
            try Self.setMeta("palettes", identity, in: database)
        }
    }

    /// At most `limit` palettes with files to write or remove; only those with files to remove if no format is to be
    /// written (`isWanted` is false).
    package func duePalettes(ofPack pack: String, isWanted: Bool, limit: Int) async throws -> [DuePalette] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database, cached: isWanted ? Self.duePalettes : Self.unwantedPalettes, arguments: [pack, limit])
            return rows.map { row in
                let written: String = row["written"]
                return DuePalette(
                    photo: row["photo"], stem: row["stem"], written: written.split(separator: " ").map(String.init),
                    isGone: row["gone"], colors: (row["colors"] as String?).flatMap { PhotoColorSample($0) })
            }
        }
    }

    // INDEXED BY: otherwise SQLite chooses the primary key and reads every palette of the pack.

    private static let duePalettes = """
        SELECT photo, stem, written, gone, (SELECT colors FROM result WHERE result.photo = palette.photo
            ORDER BY finished DESC LIMIT 1) AS colors
        FROM palette INDEXED BY paletteDue WHERE pack = ? AND due LIMIT ?
        """
    private static let unwantedPalettes = """
        SELECT photo, stem, written, gone, (SELECT colors FROM result WHERE result.photo = palette.photo
            ORDER BY finished DESC LIMIT 1) AS colors
        FROM palette INDEXED BY paletteUnwanted WHERE pack = ? AND due AND written <> '' LIMIT ?
        """

    /// Records which formats are on disk, or may be from now on. Call it before a format's first file is written, and
    /// with `isDone` when all files are up to date. `formats` are words without spaces, such as `PaletteFormat`'s raw
    /// values.
    package func wrote(_ formats: [String], for palette: DuePalette, ofPack pack: String, isDone: Bool) async throws {
        try await database.write { database in
            if isDone, palette.isGone {
                return try database.execute(
                    sql: "DELETE FROM palette WHERE pack = ? AND photo = ? AND gone", arguments: [pack, palette.photo])
            }
            try database.execute(
                sql: "UPDATE palette SET written = ?, due = ? WHERE pack = ? AND photo = ?",
                arguments: [formats.joined(separator: " "), !isDone, pack, palette.photo])
        }
    }

    /// Requests a photo's palette files, under their existing stem or the first of `stems` that no other photo of the
    /// pack has.
    static func requestPalette(of photo: String, pack: String, stems: [String], in database: Database) throws {
        for stem in stems {
            try database.execute(
                cached: """
                    INSERT INTO palette (pack, photo, stem) VALUES (?, ?, ?)
                    ON CONFLICT(pack, photo) DO UPDATE SET due = 1, gone = 0 ON CONFLICT(pack, stem) DO NOTHING
                    """, arguments: [pack, photo, stem])
            if database.changesCount > 0 { return }
        }
    }

    /// Requests that a photo's palette files be removed, unless it has a sticker in the pack, or another file than `file`
    /// holds it there.
    static func forgetUnusedPalette(
        of photo: String, pack: String, without file: Int64, in database: Database
    ) throws {
        let use = try Row.fetchOne(
            database,
            cached: """
                SELECT 1 FROM file WHERE photo = :photo AND pack = :pack AND id <> :file
                UNION ALL SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack LIMIT 1
                """, arguments: ["photo": photo, "pack": pack, "file": file])
        if use == nil { try forgetPalette(of: photo, pack: pack, in: database) }
    }

    /// Requests that a photo's palette files be removed.
    static func forgetPalette(of photo: String, pack: String, in database: Database) throws {
        try database.execute(
            cached: "UPDATE palette SET due = 1, gone = 1 WHERE pack = ? AND photo = ?", arguments: [pack, photo])
        try database.execute(
            cached: "DELETE FROM palette WHERE pack = ? AND photo = ? AND gone AND written = ''",
            arguments: [pack, photo])
    }
}
