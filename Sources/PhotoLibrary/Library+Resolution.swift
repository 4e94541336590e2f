import FileNames
package import Foundation
import GRDB
import LinuxIO
import PhotoRule
import SQLiteDatabase

/// What to do with a claimed photo once its SHA-256 is known.
package enum Resolution: Sendable {
    /// Make its stickers.
    case work
    /// Copy these stickers from another pack.
    case copy([StickerRecord])
    /// Nothing: they exist, another file of the pack stands for the photo, or a user has removed it.
    case upToDate
}

/// A row of `photo`: an image, whichever files hold it.
package struct PhotoRecord: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "photo"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .ignore)

    /// Lowercase hexadecimal.
    package let sha256: String
    /// `PhotoFormat`'s raw value, and the upright size in pixels; nil until it was worked on.
    package private(set) var format: String?
    package private(set) var width: Int?
    package private(set) var height: Int?
    let bytes: Int64
    /// When it first came in, under any name.
    package let firstSeen: Date
}

extension Library {
    /// Records the claimed file's SHA-256, `photo`, and returns what to do.
    package func resolve(_ claim: Claim, photo: String) async throws -> Resolution {
        try await writeOnClaim { database in
            try PhotoRecord(sha256: photo, bytes: claim.identity.size, firstSeen: Date()).insert(database)
            try database.execute(
                cached: "UPDATE attempt SET photo = ? WHERE id = ?", arguments: [photo, claim.attempt])
            // Another photo may have come in under the same name since the claim.
            guard let file = try FileRecord.inProgress(claim, in: database) else { return .upToDate }
            try self.read(photo, of: file, in: database)
            try Self.decideTouched(in: database)
            switch try Self.work(on: claim.file, of: photo, inPack: claim.pack, in: database) {
            case nil: return .upToDate
            case .make: return .work
            case .copy(let source):
                let stickers = try Self.stickers(ofPhoto: photo, inPack: source.text, in: database)
                return .copy(
                    try stickers.filter {
                        try !Self.isRemoved(photo, ordinal: $0.ordinal, pack: source.text, in: database)
                    })
            }
        }
    }

    /// Records what photo a file's contents are. If they are another one than before, that one has left under this
    /// name.
    private func read(_ photo: String, of file: FileRecord, in database: Database) throws {
        guard let former = file.photo, former != photo else {
            try database.execute(
                cached: """
                    UPDATE file SET photo = :photo, failure = NULL, forbidden = 0, presence = iif(presence = 'unread', 'here', presence),
                        since = iif(photo IS NULL, seen, since)
                    WHERE id = :file
                    """, arguments: ["photo": photo, "file": file.id])
            let isBack = try file.photo == nil && Self.endFormer(photo, for: file, in: database)
            guard file.presence == .unread || isBack else { return }
            return try database.execute(
                cached: "UPDATE stay SET decided = NULL WHERE photo = ? AND pack = ?", arguments: [photo, file.pack])
        }
        try recordDeparture(of: file, in: database)
        try database.execute(
            cached: "UPDATE sticker SET source = 0 WHERE photo = ? AND pack = ? AND source = ?",
            arguments: [former, file.pack, file.id])
        try database.execute(
            cached: """
                UPDATE file SET photo = ?, failure = NULL, forbidden = 0, presence = 'here', since = seen WHERE id = ?
                """,
            arguments: [photo, file.id])
    }

    /// Ends the former file of a photo whose name other files have had meanwhile, if the new one is that photo put
    /// back: under the same name, or that which the former one got when it was moved.
    ///
    /// - Returns: whether it was put back, from the archive, or to be tried again from the folder of failed photos,
    ///   which may have copies of it.
    private static func endFormer(_ photo: String, for file: FileRecord, in database: Database) throws -> Bool {
        // One that failed may never have been read.
        let former = try FileRecord.fetchAll(
            database,
            cached: """
                SELECT * FROM file INDEXED BY fileSuperseded WHERE photo = :photo AND pack = :pack AND superseded
                UNION ALL SELECT * FROM file WHERE photo IS NULL AND pack = :pack AND superseded
                    AND (size, modified) = (:size, :modified)
                """,
            arguments: [
                "photo": photo, "pack": file.pack, "size": file.identity.size, "modified": file.identity.modified,
            ]
        ).filter { former in
            let target = try Original.of(former, in: database)?.target
            return !former.isInInbox && (former.path == file.path || target?.name == file.path.name)
        }
        for file in former { try FileRecord.decide(file.id, nil, because: nil, in: database) }
        return try !former.isEmpty || file.wasSetAside(in: database)
    }
}
