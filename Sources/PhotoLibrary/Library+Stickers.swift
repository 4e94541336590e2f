package import FileNames
package import Foundation
package import GRDB
package import LinuxIO
import OutboxLayout
package import PhotoFacts
import SQLiteDatabase
import SystemPackage

/// A sticker: a row of `sticker`, without the columns that only the Library uses.
package struct StickerRecord: Codable, FetchableRecord, EncodableRecord, Sendable, Hashable {
    /// The pack's name in the Library: '' for the root pack.
    package private(set) var pack: String
    /// SHA-256 of the photo, lowercase hexadecimal.
    package let photo: String
    /// Its number among the stickers of one photo, from 0.
    package let ordinal: Int
    /// Its name in the pack's folder.
    package private(set) var file: String
    /// As in `StickerFacts`, then the length of its file.
    package let width: Int
    package let height: Int
    package let bytes: Int
    /// SHA-256 of the sticker file, lowercase hexadecimal.
    package let sha256: String
    /// The modification time of its file as published, in nanoseconds since 1970; 0 if unknown, and in lists of
    /// stickers.
    package private(set) var modified: Int64
    /// As in `StickerFacts`.
    package let confidence: Double
    package let foundBy: SubjectFinder?
    /// The identifier of the recipe it was made with.
    package let recipe: String
    /// When it came into its pack; a remade sticker keeps this.
    package private(set) var added: Date
    /// Its thumbnail's name in the pack's folder of thumbnails, if it has one.
    package private(set) var thumbnail: String?
    /// The escaped stem of the photo's file, from which people's words for it are made; nil if unknown, or if the
    /// settings keep it out of the outbox.
    package private(set) var stem: String?

    /// - Parameters:
    ///   - facts: as the studio found them.
    ///   - pack: the pack's name.
    ///   - photo: SHA-256, lowercase hexadecimal.
    ///   - ordinal: counts the photo's stickers from 0.
    ///   - file: the name that was reserved for it.
    ///   - thumbnail: its thumbnail's name.
    ///   - stem: of the photo's file, escaped.
    ///   - bytes: the length of its file.
    ///   - sha256: of its file, lowercase hexadecimal.
    ///   - modified: of its file, as published.
    ///   - recipe: the recipe's identifier.
    ///   - added: when it came into its pack.
    package init(
        _ facts: StickerFacts, pack: String, photo: String, ordinal: Int = 0, file: String, thumbnail: String? = nil,
        stem: String? = nil, bytes: Int, sha256: String, modified: Int64 = 0, recipe: String, added: Date = .now
    ) {
        self.pack = pack
        self.photo = photo
        self.ordinal = ordinal
        self.file = file
        width = facts.width
        height = facts.height
        self.bytes = bytes
        self.sha256 = sha256
        self.modified = modified
        confidence = facts.confidence
        foundBy = facts.foundBy
        self.recipe = recipe
        self.added = added
        self.thumbnail = thumbnail
        self.stem = stem
    }

    /// Its thumbnail relative to the pack's folder, if it has one.
    package var thumbnailFile: String? { thumbnail.map(OutboxSubfolder.thumbnails.file) }
}

extension StickerRecord {
    /// The columns that `init(numbered:)` takes, and how many these are.
    package static let columns = names.map { "sticker." + $0 }.joined(separator: ", ")
    package static let columnCount = names.count
    private static let names = [
        "pack", "photo", "ordinal", "file", "width", "height", "bytes", "sha256", "confidence", "recipe", "added",
        "thumbnail", "stem", "foundBy",
    ]

    /// For lists of stickers: looking up columns by name takes several times as long.
    ///
    /// - Parameter row: begins with the properties in their order here.
    package init(numbered row: Row) {
        pack = row[0]
        photo = row[1]
        ordinal = row[2]
        file = row[3]
        width = row[4]
        height = row[5]
        bytes = row[6]
        sha256 = row[7]
        modified = 0
        confidence = row[8]
        recipe = row[9]
        added = row[10]
        thumbnail = row[11]
        stem = row[12]
        foundBy = (row[13] as String?).flatMap { SubjectFinder(rawValue: $0) }
    }

    /// The same sticker as a file of another pack, added now; `stem` is that of the photo's file there.
    package func copied(
        toPack pack: String, as file: String, modified: Int64 = 0, thumbnail: String?, stem: String? = nil
    ) -> StickerRecord {
        var copy = self
        copy.pack = pack
        copy.file = file
        copy.modified = modified
        copy.thumbnail = thumbnail
        copy.stem = stem
        copy.added = .now
        return copy
    }

    /// Values for every column of a row.
    ///
    /// - Parameters:
    ///   - source: the key of the file that it was made from; 0 if unknown.
    ///   - arrival: its place in the pack.
    package func arguments(source: Int64, arrival: Int64) throws -> StatementArguments {
        var columns = try databaseDictionary
        columns["source"] = source.databaseValue
        columns["arrival"] = arrival.databaseValue
        return StatementArguments(columns)
    }
}

/// Stickers: reserving their names, and recording them.
extension Library {
    /// Reserves a name for a sticker before it is published: its earlier one if that has the right extension, and no
    /// photo's name if the settings keep these out of the outbox, or the first of `candidates` that no other sticker of
    /// its pack has and that no withdrawn file has either (the last one may). Until `finish`, a new sticker counts as
    /// missing from the outbox. Nil if a user has removed the sticker.
    ///
    /// - Parameters:
    ///   - photo: SHA-256, lowercase hexadecimal.
    ///   - ordinal: counts the photo's stickers from 0.
    ///   - recipe: the identifier of the current recipe.
    ///   - candidates: best first.
    ///   - thumbnail: the name of the thumbnail of a sticker with this name, which is reserved, too.
    ///   - claim: the claim whose sticker is made.
    package func reserveName(
        forPhoto photo: String, ordinal: Int = 0, recipe: String, candidates: [String],
        thumbnail: @escaping @Sendable (String) -> String?, claim: Claim
    ) async throws -> String? {
        try await writeOnClaim { database in
            guard try !Self.isRemoved(photo, ordinal: ordinal, pack: claim.pack, in: database) else { return nil }
            for candidate in candidates {
                // The names of withdrawn files may already have been read for removal.
                let isLeaving =
                    try candidate != candidates.last
                    && Self.isWithdrawn(candidate, ofPack: claim.pack, in: database)
                try database.execute(
                    cached: """
                        INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes,
                            sha256, confidence, added, published, thumbnail)
                        SELECT ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '', 0, ?, 0, ? WHERE ?
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        claim.pack, photo, ordinal, claim.file, recipe, claim.arrival, candidate, Date(),
                        thumbnail(candidate), !isLeaving,
                    ])
                let reserved = try String.fetchOne(
                    database, cached: "SELECT file FROM sticker WHERE photo = ? AND pack = ? AND ordinal = ?",
                    arguments: [photo, claim.pack, ordinal])
                guard let reserved else { continue }
                let mayStay = try reserved.hasPrefix(photo.prefix(8)) || !Self.hidesStems(in: database)
                if mayStay, FilePath(reserved).extension == FilePath(candidate).extension { return reserved }
                let isTaken = try database.hasRow(
                    cached: "SELECT 1 FROM sticker WHERE pack = ? AND file = ?", arguments: [claim.pack, candidate])
                if !isTaken, !isLeaving { return candidate }
            }
            throw LibraryError(.nameTaken, "every possible name for a sticker of \(claim.path) is taken")
        }
    }

    /// Records a published sticker. If a user has removed it meanwhile, it is withdrawn when the photo is decided.
    static func store(_ sticker: StickerRecord, from claim: Claim, in database: Database) throws {
        try withdrawRenamed(sticker, in: database)
        try database.execute(
            cached: """
                INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                    modified, confidence, foundBy, added, published, thumbnail, stem)
                VALUES (:pack, :photo, :ordinal, :source, :recipe, :arrival, :file, :width, :height, :bytes, :sha256,
                    :modified, :confidence, :foundBy, :added, 1, :thumbnail, :stem)
                ON CONFLICT(photo, pack, ordinal) DO UPDATE SET source = excluded.source, recipe = excluded.recipe,
                    file = excluded.file, width = excluded.width, height = excluded.height, bytes = excluded.bytes,
                    sha256 = excluded.sha256, modified = excluded.modified, confidence = excluded.confidence,
                    foundBy = excluded.foundBy,
                    published = 1, stale = 0, thumbnail = excluded.thumbnail, stem = excluded.stem
                """, arguments: try sticker.arguments(source: claim.file, arrival: claim.arrival))
    }

    /// The stickers of one photo in a pack.
    package func stickerRecords(ofPhoto photo: String, inPack pack: String) async throws -> [StickerRecord] {
        try await database.read { try Self.stickers(ofPhoto: photo, inPack: pack, in: $0) }
    }

    static func stickers(ofPhoto photo: String, inPack pack: String, in database: Database) throws -> [StickerRecord] {
        try StickerRecord.fetchAll(
            database, cached: "SELECT * FROM sticker WHERE photo = ? AND pack = ? AND published ORDER BY ordinal",
            arguments: [photo, pack])
    }

    /// The files of published stickers of a pack, as they were published: all, or those among `names`.
    package func publishedFiles(
        ofPack pack: String, among names: Set<ExactName>? = nil
    ) async throws -> [ExactName: FileStamp] {
        try await database.read { database in
            let rows =
                try names.map { names in
                    try names.compactMap { name in
                        try Row.fetchOne(
                            database,
                            cached:
                                "SELECT file, bytes, modified FROM sticker WHERE pack = ? AND file = ? AND published",
                            arguments: [pack, name.text])
                    }
                }
                ?? Row.fetchAll(
                    database, sql: "SELECT file, bytes, modified FROM sticker WHERE pack = ? AND published",
                    arguments: [pack])
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    (ExactName(row[0]), FileStamp(bytes: row[1], modified: row[2]))
                })
        }
    }

    /// Those of `names` that thumbnails of published stickers of a pack have.
    package func publishedThumbnails(ofPack pack: String, among names: Set<ExactName>) async throws -> Set<ExactName> {
        try await database.read { database in
            try names.filter { name in
                try database.hasRow(
                    cached: """
                        SELECT 1 FROM sticker WHERE pack = ? AND thumbnail = ? AND thumbnail IS NOT NULL AND published
                        """, arguments: [pack, name.text])
            }
        }
    }

    /// The names of the thumbnails of all published stickers of a pack.
    package func publishedThumbnails(ofPack pack: String) async throws -> Set<ExactName> {
        try await database.read { database in
            try Set(
                String.fetchCursor(
                    database,
                    sql: "SELECT thumbnail FROM sticker WHERE pack = ? AND published AND thumbnail IS NOT NULL",
                    arguments: [pack]
                ).map { ExactName($0) })
        }
    }
}
