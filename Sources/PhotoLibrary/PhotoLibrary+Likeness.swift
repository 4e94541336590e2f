import Foundation
import GRDB
package import PhotoLikeness

/// A photo that another one looks like, and that has a sticker.
package struct LikePhoto: Sendable, Equatable {
    /// SHA-256, lowercase hexadecimal.
    package let photo: String
    /// The file it came from, as far as that is known.
    package let path: InboxPath?
    /// The file of its sticker in the pack, the first where it has several.
    package let sticker: String
    /// In how many of their `Likeness.bitCount` bits the two differ.
    package let distance: Int
}

extension LikePhoto: CustomStringConvertible {
    /// "looks like Cats/a.jpg (re-saved or a burst; distance 12 of 256)"
    package var description: String {
        "looks like \(path?.description ?? sticker) (re-saved or a burst; distance \(distance) of \(Likeness.bitCount))"
    }
}

/// Photos that look like one that came before: bursts, and copies that were saved anew.
///
/// Photos that look the same form a group, led by the first of them. Only leaders are found by their look; the others
/// are found through them.
extension PhotoLibrary {
    /// Index entries that one look-up reads at most. Evenly spread, four million photos that all look different are
    /// needed to reach it; past it, photos may be taken for new that are not.
    static let entriesPerLookUp = 16_384
    /// Groups that one look-up goes into at most, the nearest first.
    static let groupsPerLookUp = 8
    /// Photos of one group that it asks for a sticker that is still there, the oldest first.
    static let membersPerLookUp = 64

    /// The sticker of a pack whose photo looks like this one: the first of those that look the same, as long as its
    /// sticker is there.
    ///
    /// Nil too where the photo itself had a sticker before: what became of it then, stays.
    ///
    /// - Parameters:
    ///   - photo: SHA-256 of the photo in question, lowercase hexadecimal.
    ///   - pack: only stickers that are in this pack now count.
    package func likest(
        to likeness: Likeness, ofPhoto photo: String, inPack pack: String, within limit: Int = Likeness.alike
    ) async throws -> LikePhoto? {
        try await database.read { database in
            guard try !Self.hasLikeness(photo, in: database),
                // One that was made without likenesses being asked for.
                try Row.fetchOne(
                    database, sql: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ?", arguments: [photo, pack])
                    == nil
            else { return nil }
            for leader in try Self.leaders(near: likeness, within: limit, in: database) {
                if let like = try Self.first(ofGroup: leader.id, in: database, pack, near: likeness, within: limit) {
                    return like
                }
            }
            return nil
        }
    }

    /// The photo that this one looked like when its sticker was made, as far as that one's sticker is still in the pack.
    package func like(ofPhoto photo: String, inPack pack: String) async throws -> LikePhoto? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT leader.photo AS photo, own.distance AS distance, sticker.file AS sticker, file.path AS path
                    FROM likeness AS own
                    JOIN likeness AS leader ON leader.id = own.leader AND leader.id <> own.id
                    JOIN sticker ON sticker.photo = leader.photo AND sticker.pack = ? AND ordinal = 0 AND published
                    LEFT JOIN file ON file.id = sticker.source
                    WHERE own.photo = ?
                    """, arguments: [pack, photo]
            ).map { row in LikePhoto(row, distance: row["distance"]) }
        }
    }

    /// Writes down what a photo looks like, once, and whom it looks like. Belongs into the transaction that says that
    /// its sticker is made.
    static func store(_ likeness: Likeness, ofPhoto photo: String, in database: Database) throws {
        guard try !hasLikeness(photo, in: database) else { return }
        let leader = try leaders(near: likeness, within: Likeness.alike, in: database).first
        let id = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) + 1 FROM likeness")
        try database.execute(
            sql: "INSERT INTO likeness (id, photo, hash, leader, distance) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, photo, Data(likeness.bytes), leader?.id ?? id, leader?.distance ?? 0])
        guard leader == nil else { return }
        let insertion = try database.cachedStatement(sql: "INSERT INTO likenessBand (band, likeness) VALUES (?, ?)")
        for key in likeness.bandKeys { try insertion.execute(arguments: [key, id]) }
    }

    /// Writes down whom a file was skipped for; where that one's sticker is gone meanwhile, the file waits again.
    static func storeLookalike(_ claim: Claim, of like: LikePhoto, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO lookalike (file, photo, pack) VALUES (?, ?, ?)",
            arguments: [claim.file, like.photo, claim.pack])
        let sticker = try Row.fetchOne(
            database, sql: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ? AND published",
            arguments: [like.photo, claim.pack])
        if sticker == nil { try callUpLookalikes(ofPhoto: like.photo, pack: claim.pack, in: database) }
    }

    /// Files that were skipped for a photo wait again: it has no sticker in this pack any more.
    static func callUpLookalikes(ofPhoto photo: String, pack: String, in database: Database) throws {
        // What was to become of them in the inbox is no longer so.
        try database.execute(
            sql: """
                DELETE FROM original WHERE finished IS NULL
                    AND file IN (SELECT file FROM lookalike WHERE photo = ? AND pack = ?)
                """, arguments: [photo, pack])
        try FileRecord.fetchAll(
            database,
            sql: """
                SELECT * FROM file WHERE id IN (SELECT file FROM lookalike WHERE photo = ? AND pack = ?)
                    AND state = 'duplicate' AND device <> ?
                """, arguments: [photo, pack, Int64(bitPattern: elsewhere)]
        ).move(.requeue, in: database)
        try database.execute(
            sql: "DELETE FROM lookalike WHERE photo = ? AND pack = ?", arguments: [photo, pack])
    }

    private static func hasLikeness(_ photo: String, in database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM likeness WHERE photo = ?", arguments: [photo]) != nil
    }

    /// The leaders that look like this, the likest first, at most `groupsPerLookUp`.
    private static func leaders(
        near likeness: Likeness, within limit: Int, in database: Database
    ) throws -> ArraySlice<(id: Int64, distance: Int)> {
        let keys = String(decoding: try JSONEncoder().encode(likeness.nearBandKeys), as: UTF8.self)
        // The cross join keeps the order of the keys, and with it what the limit cuts off.
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, hash FROM likeness WHERE id IN (
                    SELECT likeness FROM (
                        SELECT likeness FROM json_each(?) AS key CROSS JOIN likenessBand ON band = key.value LIMIT ?))
                """)
        var leaders: [(id: Int64, distance: Int)] = []
        let rows = try Row.fetchCursor(statement, arguments: [keys, entriesPerLookUp])
        while let row = try rows.next() {
            guard let hash = Likeness(bytes: row["hash"] as Data) else { continue }
            let distance = likeness.distance(to: hash)
            if distance <= limit { leaders.append((row["id"], distance)) }
        }
        return leaders.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.prefix(groupsPerLookUp)
    }

    /// The oldest photo of a group that looks like this and has a sticker in the pack.
    private static func first(
        ofGroup leader: Int64, in database: Database, _ pack: String, near likeness: Likeness, within limit: Int
    ) throws -> LikePhoto? {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT member.photo AS photo, hash, sticker.file AS sticker, file.path AS path
                FROM (SELECT * FROM likeness WHERE leader = ? ORDER BY id LIMIT ?) AS member
                JOIN sticker ON sticker.photo = member.photo AND sticker.pack = ? AND published
                LEFT JOIN file ON file.id = sticker.source
                ORDER BY member.id, ordinal
                """, arguments: [leader, membersPerLookUp, pack])
        while let row = try rows.next() {
            guard let hash = Likeness(bytes: row["hash"] as Data) else { continue }
            let distance = likeness.distance(to: hash)
            guard distance <= limit else { continue }
            return LikePhoto(row, distance: distance)
        }
        return nil
    }
}

extension LikePhoto {
    fileprivate init(_ row: Row, distance: Int) {
        self.init(
            photo: row["photo"], path: (row["path"] as String?).flatMap { InboxPath(escaped: $0) },
            sticker: row["sticker"], distance: distance)
    }
}
