import GRDB
package import PhotoLibrary
package import SystemPackage

/// Removed stickers that are made again.
extension Library {
    /// Requests that removed stickers be made again, whether or not the daemon of this state folder is running. If a
    /// photo is gone, its sticker is made when it returns.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRestoration(in folder: FilePath, of names: [RemovalName]) throws -> Answer {
        // Each with its pack: several stickers may be of one photo.
        var photos: Set<[String]> = []
        return try request(in: folder, names) { name, answer, database in
            let file = try FileRecord.named(name.photo, in: database)
            let ofPhoto = try Removed.fetchAll(
                database, sql: "SELECT pack, photo, ordinal FROM removed WHERE photo = ? AND pack = ?",
                arguments: [file?.photo, file?.pack])
            var found = name.isPhoto ? ofPhoto : []
            if found.isEmpty {
                found = try named(name.sticker, in: database) { pack, file in
                    try Removed.fetchAll(
                        database,
                        sql: """
                            SELECT pack, photo, ordinal FROM removed WHERE file = :file
                                AND pack IN (SELECT name FROM pack WHERE :pack IS NULL OR folder = :pack)
                            """, arguments: ["pack": pack, "file": file])
                }
                guard found.count < 2 else {
                    return answer.refused.append(refusal(name.sticker, found.count, ""))
                }
            }
            if found.isEmpty { found = ofPhoto }
            guard let first = found.first else {
                return answer.refused.append(
                    refusal(name.sticker, 0, "is neither a removed sticker nor a photo with one; pack.json lists them"))
            }
            for removed in found {
                try database.execute(
                    sql: "DELETE FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
                    arguments: [removed.photo, removed.pack, removed.ordinal])
            }
            // An index with the next number, which a crash kept from being recorded, still lists the removal.
            try database.execute(sql: "UPDATE pack SET revision = revision + 1 WHERE name = ?", arguments: [first.pack])
            try database.execute(
                sql: """
                    INSERT INTO stay (photo, pack, isRequested) VALUES (?, ?, 1)
                    ON CONFLICT DO UPDATE SET isRequested = 1
                    """, arguments: [first.photo, first.pack])
            guard try isReadable(first.photo, inPack: first.pack, in: database) else {
                return answer.notes.append(
                    "\(escaped(name.sticker)): its photo is gone or ignored; the sticker will be made when the photo is back"
                )
            }
            photos.insert([first.photo, first.pack])
            answer.photos = photos.count
        }
    }

    private struct Removed: Decodable, FetchableRecord {
        let pack: String
        let photo: String
        let ordinal: Int
    }

    /// Whether a file holds the photo in the pack that stickerd may read.
    private static func isReadable(_ photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database,
            sql: """
                SELECT 1 FROM file WHERE photo = ? AND pack = ? AND presence IN ('here', 'unread', 'archived', 'setAside')
                LIMIT 1
                """, arguments: [photo, pack]) != nil
    }
}
