package import FileNames
import GRDB
package import PhotoColors
package import PhotoLibrary
import PhotoRule
import SQLiteDatabase

/// What a pack's index lists besides its stickers.
extension Library {
    /// A pack's contents besides its stickers, read in one transaction.
    package struct PackSummary: Sendable {
        /// A photo without a sticker, or without one so far.
        package struct Photo: Sendable {
            package let path: InboxPath
            /// One line for a person, if there is a reason.
            package let reason: String?
            /// The colors in the photo's latest result; nil if it has none.
            package let colors: PhotoColorSample?
        }
        /// The number of the last index written.
        package let revision: Int
        /// Its date, as it has it; empty before the first index.
        package let updated: String
        /// In order of arrival; at most the requested number.
        package let pending: [Photo]
        package let failed: [Photo]
        package let withoutSubject: [Photo]
        /// The stickers that a user removed, oldest first.
        package let removed: [RemovedSticker]
        /// Files that are in no index and still to be removed, relative to the pack's folder.
        package let withdrawn: [String]
        /// The keys of the stickers that no index has listed yet.
        package let unlisted: [Int64]
        /// How many photos are pending, listed or not.
        package let pendingCount: Int
        /// How many photos failed or have no subject.
        package let withoutStickerCount: Int
        package let stickerCount: Int
        /// The length of all stickers' files.
        package let stickerBytes: Int
        /// How many photos have a sticker and are not waiting to be remade.
        package let madeCount: Int
    }

    /// Returns a pack's contents besides its stickers, listing at most `listed` each of the photos that are pending,
    /// failed, or have no subject. The cost does not depend on the number of files, except those waiting to be remade
    /// and those withdrawn.
    package func summary(ofPack pack: String, listed: Int) async throws -> PackSummary {
        try await database.read { database in
            let tallies = try Row.fetchAll(
                database, cached: "SELECT state, files FROM packTally WHERE pack = ?", arguments: [pack])
            func count(_ states: FileState...) -> Int {
                tallies.filter { states.contains($0["state"]) }.map { $0["files"] as Int }.reduce(0, +)
            }
            let made = try Row.fetchOne(
                database, cached: "SELECT stickers, photos, bytes FROM packStickers WHERE pack = ?", arguments: [pack])
            let index = try Row.fetchOne(
                database, cached: "SELECT revision, updated FROM pack WHERE name = ?", arguments: [pack])
            return PackSummary(
                revision: index?["revision"] ?? 0, updated: index?["updated"] ?? "",
                pending: try Self.photos(Self.waitingPhotos, pack, listed, in: database),
                failed: try Self.photos(Self.failedPhotos, pack, listed, in: database),
                withoutSubject: try Self.photos(Self.photosWithoutSubject, pack, listed, in: database),
                removed: try RemovedSticker.fetchAll(
                    database,
                    cached: "SELECT photo, ordinal, file FROM removed WHERE pack = ? ORDER BY since, photo, ordinal",
                    arguments: [pack]),
                withdrawn: try String.fetchAll(
                    database, cached: "SELECT file FROM withdrawn WHERE pack = ?", arguments: [pack]),
                unlisted: try Int64.fetchAll(
                    database,
                    cached: """
                        SELECT id FROM sticker INDEXED BY stickerUnlisted WHERE pack = ? AND published AND NOT listed
                        """, arguments: [pack]),
                pendingCount: count(.pending, .processing), withoutStickerCount: count(.failed, .noSubject),
                stickerCount: made?["stickers"] ?? 0, stickerBytes: made?["bytes"] ?? 0,
                madeCount: try (made?["photos"] ?? 0) - Self.countOfPhotosToRemake(inPack: pack, in: database))
        }
    }

    /// Unread files have other contents than the photo that they hold until then, and so may those that could not be
    /// read.
    private static let listedFacts = """
        (SELECT colors FROM result
            WHERE result.photo = file.photo AND presence <> 'unread' AND failure IS NULL
            ORDER BY finished DESC LIMIT 1) AS colors, path, reason
        """

    // Each repeats the condition of a partial index word for word; otherwise SQLite would not use it.

    private static let waitingPhotos = """
        SELECT \(listedFacts) FROM file WHERE pack = ? AND state IN ('pending', 'processing') ORDER BY arrival LIMIT ?
        """
    private static let failedPhotos = """
        SELECT \(listedFacts) FROM file WHERE pack = ? AND state = 'failed' ORDER BY arrival LIMIT ?
        """
    private static let photosWithoutSubject = """
        SELECT \(listedFacts) FROM file WHERE pack = ? AND state = 'noSubject' ORDER BY arrival LIMIT ?
        """

    private static func photos(
        _ sql: String, _ pack: String, _ limit: Int, in database: Database
    ) throws -> [PackSummary.Photo] {
        try Row.fetchAll(database, cached: sql, arguments: [pack, limit]).compactMap { row in
            InboxPath(escaped: row["path"]).map {
                .init(path: $0, reason: row["reason"], colors: sample(row["colors"]))
            }
        }
    }

    /// The number of photos with a sticker that are waiting to be remade.
    private static func countOfPhotosToRemake(inPack pack: String, in database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            cached: """
                SELECT COUNT(*) FROM (
                    SELECT DISTINCT photo FROM file
                    WHERE pack = :pack AND state IN ('pending', 'processing') AND photo IS NOT NULL) AS waiting
                WHERE EXISTS (
                    SELECT 1 FROM sticker WHERE photo = waiting.photo AND pack = :pack AND ordinal = 0 AND published)
                """, arguments: ["pack": pack]) ?? 0
    }
}
