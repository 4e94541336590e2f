import Foundation
import GRDB
import LinuxIO

/// What to do with a claimed photo once its SHA-256 is known.
package enum Resolution: Sendable {
    /// Make its sticker: there is none, it is missing from the outbox, or it is to be remade.
    case work
    /// Its sticker exists and was made from this file.
    case alreadyDone
    /// The same bytes came in before as another file of this pack.
    case duplicate(of: InboxPath)
    /// The same bytes came in before as another file of this pack, and the same recipe found no subject in them;
    /// `reason` is one line.
    case noSubject(reason: String)
    /// The sticker exists in another pack and can be copied.
    case copy([StickerRecord])
}

/// A row of `photo`: an image, whichever files hold it.
struct PhotoRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "photo"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .ignore)

    /// Lowercase hexadecimal.
    let sha256: String
    /// `PhotoFormat`'s raw value, and the upright size in pixels; nil until it was worked on.
    private(set) var format: String?
    private(set) var width: Int?
    private(set) var height: Int?
    let bytes: Int64
    let firstSeen: Date
}

extension PhotoRecord {
    init(sha256: String, bytes: Int64, firstSeen: Date) {
        (self.sha256, self.bytes, self.firstSeen) = (sha256, bytes, firstSeen)
    }
}

/// A sticker's source, and whether it can be used as it is.
private struct StickerPlace: Decodable, FetchableRecord {
    let source: Int64
    let published: Bool
    let stale: Bool
}

extension PhotoLibrary {
    /// Records the claimed file's SHA-256, `photo`, and returns what to do. `recipe` is the identifier of the current
    /// recipe: a sticker is copied from another pack only if it was made with it, or if the photo was moved.
    package func resolve(_ claim: Claim, photo: String, recipe: String) async throws -> Resolution {
        try await database.write { database in
            try PhotoRecord(sha256: photo, bytes: claim.identity.size, firstSeen: Date()).insert(database)
            // Another photo may have come in under the same name since the claim.
            try database.execute(
                cached: "UPDATE file SET photo = ? WHERE id = ? AND arrival = ?",
                arguments: [photo, claim.file, claim.arrival])
            try database.execute(
                cached: "UPDATE attempt SET photo = ? WHERE file = ? AND finished IS NULL",
                arguments: [photo, claim.file])

            try Self.recordMoves(claim, of: photo, in: database)

            let here = try StickerPlace.fetchAll(
                database,
                cached: "SELECT source, published, stale FROM sticker WHERE photo = ? AND pack = ? ORDER BY ordinal",
                arguments: [photo, claim.pack])
            if let first = here.first {
                guard here.allSatisfy({ $0.published && !$0.stale }) else {
                    let isRemade = here.contains(where: \.stale)
                    let fresh = try Self.stickers(of: photo, for: isRemade ? nil : claim, recipe: recipe, in: database)
                    return fresh.isEmpty ? .work : .copy(fresh)
                }
                if first.source == claim.file {
                    // It may have left its pack and come back under another name.
                    try self.renameStickers(ofPhoto: photo, inPack: claim.pack, in: database)
                    return .alreadyDone
                }
                let original = try InboxPath.fetchOne(
                    database, cached: "SELECT path FROM file WHERE id = ?", arguments: [first.source])
                if let original { return .duplicate(of: original) }
                // The source row is gone; adopt this file.
                try database.execute(
                    cached: "UPDATE sticker SET source = ? WHERE photo = ? AND pack = ?",
                    arguments: [claim.file, photo, claim.pack])
                try self.renameStickers(ofPhoto: photo, inPack: claim.pack, in: database)
                return .alreadyDone
            }
            if let known = try Self.knownWithoutSubject(of: claim, photo: photo, recipe: recipe, in: database) {
                return known
            }
            let elsewhere = try Self.stickers(of: photo, for: claim, recipe: recipe, in: database)
            return elsewhere.isEmpty ? .work : .copy(elsewhere)
        }
    }

    /// Finds another file of the pack in which this recipe found no subject. Only such a file shows that a photo
    /// without a sticker was processed before; another recipe may find a subject.
    private static func knownWithoutSubject(
        of claim: Claim, photo: String, recipe: String, in database: Database
    ) throws -> Resolution? {
        let row = try Row.fetchOne(
            database,
            cached: """
                SELECT path, result.reason FROM file JOIN result ON result.photo = file.photo
                WHERE file.photo = ? AND pack = ? AND id <> ? AND state = 'noSubject'
                    AND recipe = ? AND outcome = 'noSubject'
                ORDER BY arrival LIMIT 1
                """, arguments: [photo, claim.pack, claim.file, recipe])
        guard let row else { return nil }
        let (path, reason): (InboxPath, String?) = (row["path"], row["reason"])
        return .noSubject(reason: "\(reason ?? "no clear subject"); duplicate of \(path)")
    }

    /// The photo's stickers in a pack that it was moved out of, if `claim` is given; otherwise those in the first pack
    /// that has all of them, made with `recipe`, not removed and not to be remade.
    private static func stickers(
        of photo: String, for claim: Claim?, recipe: String, in database: Database
    ) throws -> [StickerRecord] {
        let moved = try claim.map { try stickers(toMove: photo, for: $0, in: database) } ?? []
        guard moved.isEmpty else { return moved }
        return try StickerRecord.fetchAll(
            database,
            cached: """
                SELECT * FROM sticker WHERE photo = :photo AND pack = (
                    SELECT pack FROM sticker WHERE photo = :photo
                        AND pack NOT IN (SELECT pack FROM removed WHERE photo = :photo) GROUP BY pack
                    HAVING MIN(published AND NOT stale AND recipe = :recipe)
                    ORDER BY MIN(id) LIMIT 1)
                ORDER BY ordinal
                """, arguments: ["photo": photo, "recipe": recipe])
    }
}
