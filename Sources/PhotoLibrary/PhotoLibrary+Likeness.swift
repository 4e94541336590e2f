import GRDB
package import PhotoLikeness

/// Photos that look like one that came before: bursts, and copies that were saved anew.
extension PhotoLibrary {
    /// A sticker whose photo looks the same.
    package struct Like: Sendable, Equatable {
        /// SHA-256 of that photo, lowercase hexadecimal.
        package let photo: String
        /// The file it came from, as far as it is known.
        package let path: InboxPath?
        /// Its sticker's file in the pack, the first where there are several.
        package let sticker: String
        /// In how many of `Likeness.bitCount` bits the two differ.
        package let distance: Int
    }

    /// Index entries that one look-up reads at most; with evenly spread likenesses that is all of them up to four
    /// million photos that look different.
    static let entriesPerLookUp = 16_384
    /// Groups that one look-up goes into at most, the nearest first.
    static let groupsPerLookUp = 8
    /// Photos of one group that it looks at for a sticker that is still there, the oldest first.
    static let membersPerLookUp = 64

    /// The sticker of a pack whose photo looks like this one: the first of those that look the same, if it is there.
    ///
    /// Nil too where the photo itself has been looked at before: what became of it then, stays.
    ///
    /// - Parameters:
    ///   - photo: SHA-256 of the photo in question, lowercase hexadecimal.
    ///   - pack: only stickers that are in this pack now count.
    package func likest(
        to likeness: Likeness, of photo: String, inPack pack: String, within distance: Int = Likeness.alike
    ) async throws -> Like? {
        try await database.read { database in
            guard try Self.likenessID(of: photo, in: database) == nil else { return nil }
            for leader in try Self.leaders(near: likeness, within: distance, in: database) {
                if let like = try Self.sticker(ofGroup: leader.id, like: likeness, distance, pack, in: database) {
                    return like
                }
            }
            return nil
        }
    }

    /// Writes down what a photo looks like, once; to be called where its ending is written.
    static func store(_ likeness: Likeness, of photo: String, in database: Database) throws {
        guard try likenessID(of: photo, in: database) == nil else { return }
        let leader = try leaders(near: likeness, within: Likeness.alike, in: database).first
        try database.cachedStatement(
            sql: """
                INSERT INTO likeness (photo, hash, leader, distance)
                VALUES (?, ?, coalesce(?, (SELECT coalesce(max(id), 0) + 1 FROM likeness)), ?)
                """
        ).execute(
            arguments: [
                photo, likeness.bytes.withUnsafeBytesData, leader?.id, leader?.distance ?? 0,
            ])
        guard leader == nil else { return }
        let id = database.lastInsertedRowID
        let insertion = try database.cachedStatement(sql: "INSERT INTO likenessBand VALUES (?, ?)")
        for key in likeness.bandKeys { try insertion.execute(arguments: [key, id]) }
    }
}
