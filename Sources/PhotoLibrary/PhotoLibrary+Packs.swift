package import Foundation
import GRDB
package import PhotoColors

/// What the Outbox asks: packs, their folders, and what their index says.
extension PhotoLibrary {
    /// A sticker with what is known of its photo.
    package struct PackSticker: Sendable {
        package let sticker: StickerRecord
        /// Of the whole photo; nil where nobody knows them, as the release that made the sticker kept none.
        package let colors: PhotoColorSample?
        /// Of the subject alone; nil likewise.
        package let subjectColors: PhotoColorSample?
        /// Where it stands in the pack.
        package let position: PackPosition
    }

    /// A place in a pack's order of arrival.
    package struct PackPosition: Sendable {
        let arrival: Int64
        let ordinal: Int
        /// The sticker's key: Libraries of earlier releases may have two stickers with the same arrival and ordinal.
        let sticker: Int64

        /// Before everything.
        package static let start = PackPosition(arrival: .min, ordinal: 0, sticker: 0)
    }

    /// Writes down a recipe under its identifier, once.
    package func remember(recipe: String, content: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO recipe VALUES (?, ?, ?) ON CONFLICT DO NOTHING", arguments: [recipe, content, Date()])
        }
    }

    /// The names of all packs that files came in for, the root's ('') always among them.
    package func packNames() async throws -> Set<ExactName> {
        try await database.read { database in
            try Set(
                String.fetchAll(
                    database,
                    sql: """
                        SELECT pack FROM packTally WHERE files > 0 AND state <> 'ignored' UNION SELECT name FROM pack
                        """
                ).map { ExactName($0) }
            )
            .union([""])
        }
    }

    /// A pack's folder, relative to the outbox. A new pack gets the first of `candidates` that no other pack has,
    /// ignoring letter case and normalization; nil if all are taken. The root pack has the folder ''.
    package func folder(ofPack pack: String, candidates: some Sequence<String> & Sendable) async throws -> String? {
        try await database.write { database in
            let known = try String.fetchOne(
                database, sql: "SELECT folder FROM pack WHERE name = ?", arguments: [pack])
            if let known { return known }
            for candidate in candidates {
                try database.execute(
                    sql: """
                        INSERT INTO pack (name, folder, folded) SELECT :name, :folder, :folded
                        WHERE NOT EXISTS (SELECT 1 FROM pack WHERE folded = :folded) ON CONFLICT DO NOTHING
                        """,
                    arguments: ["name": pack, "folder": candidate, "folded": FoldedName(candidate).text])
                if database.changesCount > 0 { return candidate }
            }
            return nil
        }
    }

    /// The number of the last index written for a pack.
    package func revision(ofPack pack: String) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(database, sql: "SELECT revision FROM pack WHERE name = ?", arguments: [pack]) ?? 0
        }
    }

    /// The pack's index of that number is written. Nothing happens where the pack has no folder yet.
    package func setRevision(_ revision: Int, ofPack pack: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE pack SET revision = ? WHERE name = ?", arguments: [revision, pack])
        }
    }

    /// The folders of all packs but the root's, by name.
    package func packFolders() async throws -> [ExactName: String] {
        try await database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT name, folder FROM pack WHERE name <> ''")
            return Dictionary(uniqueKeysWithValues: rows.map { (ExactName($0["name"]), $0["folder"]) })
        }
    }

    /// The next stickers of a pack in order of arrival, at most `limit`.
    package func stickers(ofPack pack: String, after position: PackPosition, limit: Int) async throws -> [PackSticker] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sticker.*, result.colors, result.subjectColors FROM sticker
                    LEFT JOIN result ON result.photo = sticker.photo AND result.recipe = sticker.recipe
                    WHERE pack = ? AND published AND (arrival, ordinal, id) > (?, ?, ?)
                    ORDER BY arrival, ordinal, id LIMIT ?
                    """, arguments: [pack, position.arrival, position.ordinal, position.sticker, limit]
            ).map { row in
                PackSticker(
                    sticker: StickerRecord(row: row), colors: Self.sample(row["colors"]),
                    subjectColors: Self.sample(row["subjectColors"]),
                    position: PackPosition(arrival: row["arrival"], ordinal: row["ordinal"], sticker: row["id"]))
            }
        }
    }

    /// A sticker as a pack's archive has it; a pack may have very many.
    package struct ArchivedSticker: Sendable {
        /// Its name in the pack's folder.
        package let file: String
        /// The length of its file.
        package let bytes: Int
        /// SHA-256 of its file, lowercase hexadecimal.
        package let sha256: String
        /// When it came into the pack.
        package let added: Date
    }

    /// All stickers of a pack in order of arrival.
    package func archivedStickers(ofPack pack: String) async throws -> [ArchivedSticker] {
        try await database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT file, bytes, sha256, added FROM sticker WHERE pack = ? AND published
                    ORDER BY arrival, ordinal, id
                    """, arguments: [pack])
            return try Array(
                rows.map {
                    ArchivedSticker(file: $0["file"], bytes: $0["bytes"], sha256: $0["sha256"], added: $0["added"])
                })
        }
    }

    /// The stickers of one photo in a pack.
    package func stickerRecords(ofPhoto photo: String, inPack pack: String) async throws -> [StickerRecord] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM sticker WHERE photo = ? AND pack = ? AND published ORDER BY ordinal",
                arguments: [photo, pack]
            ).map(StickerRecord.init(row:))
        }
    }

    static func sample(_ text: String?) -> PhotoColorSample? { text.flatMap { PhotoColorSample($0) } }
}

extension StickerRecord {
    init(row: Row) {
        self.init(
            pack: row["pack"], photo: row["photo"], ordinal: row["ordinal"], file: row["file"], width: row["width"],
            height: row["height"], bytes: row["bytes"], sha256: row["sha256"], confidence: row["confidence"],
            recipe: row["recipe"], added: row["added"], thumbnail: row["thumbnail"])
    }
}
