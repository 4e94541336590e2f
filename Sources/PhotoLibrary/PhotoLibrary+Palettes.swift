import GRDB
package import PhotoColors

/// Which palette files are to be written beside the stickers.
extension PhotoLibrary {
    /// The palette files of one photo in one pack, which are not yet what they should be.
    package struct DuePalette: Sendable {
        /// SHA-256, lowercase hexadecimal.
        package let photo: String
        /// What the files are called, without ending.
        package let stem: String
        /// The formats that may be there already, as `wrote` was told.
        package let written: [String]
        /// They are to be removed, whatever the formats of today.
        package let isGone: Bool
        /// Of the latest result; nil where that has none.
        package let colors: PhotoColorSample?
    }

    /// Every palette is looked at anew when what they are made from is no longer what it was.
    ///
    /// - Parameter identity: stands for all that decides what the files say beside the photo.
    package func adoptPalettes(_ identity: String) async throws {
        try await database.write { database in
            guard try Self.meta("palettes", in: database) != identity else { return }
            try database.execute(sql: "UPDATE palette SET due = 1")
            try Self.setMeta("palettes", identity, in: database)
        }
    }

    /// - Parameters:
    ///   - isWanted: whether any format is written today; without, only files to be removed are due.
    ///   - limit: at most so many.
    package func duePalettes(ofPack pack: String, isWanted: Bool, limit: Int) async throws -> [DuePalette] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database, sql: isWanted ? Self.duePalettes : Self.unwantedPalettes, arguments: [pack, limit])
            return rows.map { row in
                let written: String = row["written"]
                return DuePalette(
                    photo: row["photo"], stem: row["stem"], written: written.split(separator: " ").map(String.init),
                    isGone: row["gone"], colors: (row["colors"] as String?).flatMap { PhotoColorSample($0) })
            }
        }
    }

    // Otherwise SQLite chooses the primary key and reads every palette of the pack.

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

    /// What is on disk now, or may be from here on: to be told before a format's first file is written, and when all is
    /// as it should be (`isDone`).
    ///
    /// - Parameter formats: words without spaces, such as `PaletteFormat`'s raw values.
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

    /// The photo's palette files are to be written, under the first of `stems` that no other photo of the pack has, or
    /// the one they had before.
    static func askForPalette(of photo: String, pack: String, stems: [String], in database: Database) throws {
        for stem in stems {
            try database.execute(
                sql: """
                    INSERT INTO palette (pack, photo, stem) VALUES (?, ?, ?)
                    ON CONFLICT(pack, photo) DO UPDATE SET due = 1, gone = 0 ON CONFLICT(pack, stem) DO NOTHING
                    """, arguments: [pack, photo, stem])
            if database.changesCount > 0 { return }
        }
    }

    /// The photo's palette files are to go.
    static func forgetPalette(of photo: String, pack: String, in database: Database) throws {
        try database.execute(
            sql: "UPDATE palette SET due = 1, gone = 1 WHERE pack = ? AND photo = ?", arguments: [pack, photo])
        try database.execute(
            sql: "DELETE FROM palette WHERE pack = ? AND photo = ? AND gone AND written = ''", arguments: [pack, photo])
    }
}
