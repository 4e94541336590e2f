package import FileNames
import Foundation
import GRDB
package import PhotoLikeness
import SQLiteDatabase
import Synchronization

/// An earlier photo with a sticker and a similar perceptual hash.
package struct SimilarPhoto: Sendable, Equatable, CustomStringConvertible {
    /// SHA-256, lowercase hexadecimal.
    package let photo: String
    /// The file that the sticker was made from, if known.
    package let path: InboxPath?
    /// The file name of its first sticker in the pack.
    package let sticker: String
    /// How many of the `PerceptualHash.bitCount` bits differ.
    package let distance: Int

    /// "near-duplicate of Cats/a.jpg (12 of 256 bits differ)"
    package var description: String {
        "near-duplicate of \(path?.description ?? sticker) (\(distance) of \(PerceptualHash.bitCount) bits differ)"
    }
}

/// A row of `likeness`.
private struct LikenessRecord: Decodable, FetchableRecord {
    /// Increases with each row: the order in which hashes were recorded.
    let id: Int64
    let hash: Data
}

/// Near-duplicates: bursts, and copies that were saved again.
extension Library {
    /// The earliest photo with a sticker in the pack that this photo is a near-duplicate of.
    ///
    /// Nil also if the photo itself has had a sticker: its result stays.
    ///
    /// - Parameter pack: only stickers that are in this pack now count.
    package func firstNearDuplicate(
        of likeness: PerceptualHash, ofPhoto photo: String, inPack pack: String,
        within limit: Int = PerceptualHash.alike
    ) async throws -> SimilarPhoto? {
        try await database.read { database in
            guard try Self.likeness(ofPhoto: photo, in: database) == nil,
                // A sticker that was made while detection was off has no hash.
                // One that it brings along from another pack is not skipped, either (`KnownPhoto.decide`).
                try !database.hasRow(
                    cached: """
                        SELECT 1 FROM sticker WHERE photo = :photo AND (pack = :pack OR published AND NOT EXISTS (
                            SELECT 1 FROM file WHERE photo = :photo AND pack = sticker.pack AND presence <> 'left'))
                        """, arguments: ["photo": photo, "pack": pack])
            else { return nil }
            let matches = try self.matches(of: likeness, within: limit, in: database)
            return try Self.first(of: matches, inPack: pack, database)
        }
    }

    /// The same for a photo that has its sticker: only photos recorded before it count.
    package func like(ofPhoto photo: String, inPack pack: String) async throws -> SimilarPhoto? {
        try await database.read { database in
            guard let own = try Self.likeness(ofPhoto: photo, in: database),
                let likeness = PerceptualHash(bytes: own.hash)
            else { return nil }
            let matches = try self.matches(of: likeness, within: PerceptualHash.alike, before: own.id, in: database)
            return try Self.first(of: matches, inPack: pack, database)
        }
    }

    /// Records a photo's hash, once. Call it in the transaction that records its sticker.
    static func store(_ likeness: PerceptualHash, ofPhoto photo: String, in database: Database) throws {
        try database.execute(
            cached: "INSERT OR IGNORE INTO likeness (photo, hash) VALUES (?, ?)",
            arguments: [photo, Data(likeness.bytes)])
    }

    private static func likeness(ofPhoto photo: String, in database: Database) throws -> LikenessRecord? {
        try LikenessRecord.fetchOne(database, cached: "SELECT * FROM likeness WHERE photo = ?", arguments: [photo])
    }

    private func matches(
        of likeness: PerceptualHash, within limit: Int, before end: Int64 = .max, in database: Database
    ) throws -> [PerceptualHashList.Match] {
        try likenesses.withLock { list in
            // Rows get increasing numbers, which are never used again; those of deleted photos match no row.
            let rows = try LikenessRecord.fetchCursor(
                database.cachedStatement(sql: "SELECT * FROM likeness WHERE id > ? ORDER BY id"),
                arguments: [list.last ?? 0])
            while let row = try rows.next() {
                if let likeness = PerceptualHash(bytes: row.hash) { list.append(likeness, id: row.id) }
            }
            return list.matches(of: likeness, within: limit, before: end)
        }
    }

    /// The earliest of the photos that has a sticker in the pack.
    private static func first(
        of matches: [PerceptualHashList.Match], inPack pack: String, _ database: Database
    ) throws -> SimilarPhoto? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT likeness.photo, sticker.file AS sticker, path FROM likeness
                JOIN sticker ON sticker.photo = likeness.photo AND sticker.pack = ? AND published
                LEFT JOIN file ON file.id = sticker.source WHERE likeness.id = ? ORDER BY ordinal LIMIT 1
                """)
        for match in matches {
            guard let row = try Row.fetchOne(statement, arguments: [pack, match.id]) else { continue }
            return SimilarPhoto(
                photo: row["photo"], path: row["path"], sticker: row["sticker"], distance: match.distance)
        }
        return nil
    }
}
