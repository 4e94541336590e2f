package import GRDB
import OutboxLayout
import SQLiteDatabase

/// Which photos have palette files in which packs, and under which name.
extension Library {
    /// Requests a photo's palette files, under their existing stem, unless that may be the photo's name and the
    /// settings keep these out of the outbox, or the first of `stems` that no other photo of the pack has.
    package static func requestPalette(
        of photo: String, pack: String, stems: [String], in database: Database
    ) throws {
        for stem in stems {
            try database.execute(
                cached: """
                    INSERT INTO palette (pack, photo, stem) VALUES (?, ?, ?)
                    ON CONFLICT(pack, photo) DO UPDATE SET due = due + 1, stem = iif(? AND NOT EXISTS (
                        SELECT 1 FROM palette AS other WHERE other.pack = excluded.pack AND other.stem = excluded.stem
                    ), excluded.stem, stem)
                    ON CONFLICT(pack, stem) DO NOTHING
                    """, arguments: [pack, photo, stem, try hidesStems(in: database)])
            if database.changesCount > 0 { return }
        }
    }

    /// Requests the palette files of a sticker's photo, which may not come back, unless it has some.
    package static func requestPalette(of sticker: StickerRecord, in database: Database) throws {
        guard
            try !database.hasRow(
                cached: "SELECT 1 FROM palette WHERE pack = ? AND photo = ?", arguments: [sticker.pack, sticker.photo])
        else { return }
        let stem = OutboxName.paletteStem(ofSticker: sticker.file, ordinal: sticker.ordinal)
        try requestPalette(
            of: sticker.photo, pack: sticker.pack, stems: [stem, "\(stem)-\(sticker.photo)"], in: database)
    }

    /// Requests that a photo's palette files be removed.
    static func forgetPalette(of photo: String, pack: String, in database: Database) throws {
        try database.execute(cached: "DELETE FROM palette WHERE pack = ? AND photo = ?", arguments: [pack, photo])
    }
}
