import GRDB
import LinuxIO
package import SystemPackage

/// What a published sticker was made from.
package struct StickerOrigin: Sendable {
    /// The sticker's name in its pack's folder.
    package let file: String
    /// SHA-256 of the sticker's file, lowercase hexadecimal.
    package let sha256: String
    /// SHA-256 of the photo, lowercase hexadecimal.
    package let photo: String
    /// As in `StickerRecord`.
    package let ordinal: Int
    /// How many stickers the photo has in the pack, itself and removed ones included.
    package let siblings: Int
    /// The sticker's size in pixels.
    package let width: Int
    package let height: Int
    /// The recipe as JSON.
    package let recipe: String
}

/// Where a file with a photo was recorded last. It may be gone, or have other contents.
package enum PhotoPlace: Sendable, Equatable {
    /// In the inbox.
    case inbox(InboxPath)
    /// Moved out of the inbox; absolute.
    case moved(FilePath)
}

extension PhotoLibrary {
    /// The most places of one photo that are returned: any number of files may hold it.
    static let maxPlaces = 4

    /// All recipes that any sticker was made with, as JSON: one for each change of the settings.
    package func recipes() async throws -> [String] { try await database.read { try Self.recipes(in: $0) } }

    /// What these stickers were made from; without those that are not published.
    ///
    /// - Parameters:
    ///   - files: their names in the folder of the pack. One transaction finds all: ask for some hundred at a time.
    ///   - pack: its name in the Library; empty for the root pack.
    package func origins(ofStickers files: [String], inPack pack: String) async throws -> [StickerOrigin] {
        try await database.read { try Self.origins(ofStickers: files, inPack: pack, in: $0) }
    }

    /// Where the photo with this SHA-256 may be found.
    package func places(ofPhoto photo: String) async throws -> [PhotoPlace] {
        try await database.read { try Self.places(ofPhoto: photo, in: $0) }
    }

    /// The same as `recipes()` from the Library of a daemon that may be running.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be read.
    package static func recipes(in folder: FilePath) throws -> [String] {
        try reading(in: folder) { try recipes(in: $0) }
    }

    /// The same from the Library of a daemon that may be running.
    ///
    /// - Parameter packFolder: relative to the outbox; "" for the root pack.
    /// - Throws: `LibraryError` if there is no Library that can be read.
    package static func origins(
        in folder: FilePath, ofStickers files: [String], inPackFolder packFolder: String
    ) throws -> [StickerOrigin] {
        try reading(in: folder) { database in
            let pack = try String.fetchOne(
                database, cached: "SELECT name FROM pack WHERE folder = ?", arguments: [packFolder])
            return try pack.map { try origins(ofStickers: files, inPack: $0, in: database) } ?? []
        }
    }

    /// The same from the Library of a daemon that may be running.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be read.
    package static func places(in folder: FilePath, ofPhoto photo: String) throws -> [PhotoPlace] {
        try reading(in: folder) { try places(ofPhoto: photo, in: $0) }
    }

    private static func recipes(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT content FROM recipe")
    }

    private static func origins(
        ofStickers files: [String], inPack pack: String, in database: Database
    ) throws -> [StickerOrigin] {
        try files.compactMap { file in
            try Row.fetchOne(
                database,
                cached: """
                    SELECT sha256, photo, ordinal, width, height, content,
                        (SELECT COUNT(*) FROM (
                            SELECT ordinal FROM sticker AS other
                            WHERE other.photo = sticker.photo AND other.pack = sticker.pack
                            UNION SELECT ordinal FROM removed
                            WHERE removed.photo = sticker.photo AND removed.pack = sticker.pack))
                    FROM sticker
                    JOIN recipe ON recipe.id = sticker.recipe
                    WHERE pack = ? AND file = ? AND published
                    """, arguments: [pack, file]
            ).map { row in
                StickerOrigin(
                    file: file, sha256: row[0], photo: row[1], ordinal: row[2], siblings: row[6], width: row[3],
                    height: row[4], recipe: row[5])
            }
        }
    }

    private static func places(ofPhoto photo: String, in database: Database) throws -> [PhotoPlace] {
        try Row.fetchAll(
            database,
            cached: """
                SELECT file.path, target FROM file
                LEFT JOIN original ON original.file = file.id AND original.arrival = file.arrival
                WHERE photo = ? LIMIT ?
                """, arguments: [photo, maxPlaces]
        ).flatMap { row -> [PhotoPlace] in
            let (path, target): (InboxPath, InboxPath?) = (row[0], row[1])
            // A planned move may not have happened yet.
            return [.inbox(path)] + (target.map { [.moved(FilePath(bytes: $0.bytes))] } ?? [])
        }
    }
}
