import FileNames
import Foundation
import GRDB
package import PhotoRule
import SQLiteDatabase

/// Reads what the Library knows of a photo. The cost grows with the packs that have it, not with its copies.
extension Library {
    /// What the rule needs, and what it takes to carry out its answer.
    package struct Facts {
        /// What the rule decides from.
        package let photo: KnownPhoto
        /// In the order of `photo.packs` and their files.
        package let files: [[FileRecord]]
        /// As stored, so that only what differs is written.
        let stays: [Stay?]
    }

    /// A row of `stay`.
    struct Stay: Decodable, FetchableRecord {
        let pack: String
        let since: Date?
        let decided: String?
        let isRequested: Bool
        let leader: String?
        /// One line for a person: how the photo is like its leader.
        let likeness: String?
        let leftSince: Date?
        let leftAt: Date?
        let leftUnder: Bool?
        let leftFile: Int64?
        let isRename: Bool?

        fileprivate var departure: KnownPhoto.Departure? {
            leftAt.map {
                KnownPhoto.Departure(
                    since: leftSince ?? $0, date: $0, withdraws: leftUnder ?? false, file: leftFile ?? 0,
                    isRename: isRename ?? false)
            }
        }
    }

    static func facts(of photo: String, in database: Database) throws -> Facts {
        let stays = try Stay.fetchAll(database, cached: "SELECT * FROM stay WHERE photo = ?", arguments: [photo])
        let stickers = try Row.fetchAll(
            database,
            cached: """
                SELECT pack, ordinal, recipe, added, published, sha256 = '' AS isReserved, listed, stale
                FROM sticker WHERE photo = ?
                ORDER BY pack, ordinal
                """, arguments: [photo])
        let removed = try Row.fetchAll(
            database, cached: "SELECT pack, ordinal FROM removed WHERE photo = ? ORDER BY pack, ordinal",
            arguments: [photo])
        let names = Set(
            (stays.map(\.pack) + stickers.map { $0["pack"] } + removed.map { $0["pack"] }).map { ExactName($0) })
        var packs: [KnownPhoto.InPack] = []
        var files: [[FileRecord]] = []
        for name in names.sorted() {
            let stay = stays.first { name.text.isExactly($0.pack) }
            let known = try self.files(holding: photo, inPack: name.text, in: database)
            files.append(known.map(\.file))
            packs.append(
                KnownPhoto.InPack(
                    name: name,
                    files: known.map { file, isClaimed in
                        KnownPhoto.File(
                            id: file.id, arrival: file.arrival, presence: file.presence, isClaimed: isClaimed,
                            isUnreadable: file.failure != nil)
                    },
                    since: stay?.since ?? known.filter { $0.file.presence != .left }.compactMap(\.file.since).min(),
                    departure: stay?.departure,
                    stickers: stickers.filter { name.text.isExactly($0["pack"]) }.map { row in
                        KnownPhoto.Sticker(
                            ordinal: row["ordinal"], recipe: row["recipe"], added: row["added"],
                            isPublished: row["published"], isReserved: row["isReserved"], isListed: row["listed"],
                            isRequested: row["stale"])
                    },
                    removed: removed.filter { name.text.isExactly($0["pack"]) }.map { $0["ordinal"] },
                    isLed: try stay?.leader.map { try hasSticker($0, inPack: name.text, in: database) } ?? false,
                    isRequested: stay?.isRequested ?? false, decided: stay?.decided))
        }
        return Facts(
            photo: KnownPhoto(packs: packs, results: try results(of: photo, in: database)), files: files,
            stays: names.sorted().map { name in stays.first { name.text.isExactly($0.pack) } })
    }

    /// Of the files that hold a photo in a pack, or left it, the first of each kind that the rule tells apart, those in
    /// progress, and those by which the photo left a pack.
    private static func files(
        holding photo: String, inPack pack: String, in database: Database
    ) throws -> [(file: FileRecord, isClaimed: Bool)] {
        // `+` keeps SQLite from finding the files by their photo, which all copies have.
        try Row.fetchAll(
            database,
            cached: """
                SELECT file.*, EXISTS (SELECT 1 FROM attempt WHERE file = file.id AND finished IS NULL) AS isClaimed
                FROM file WHERE id IN (
                    SELECT (SELECT id FROM file INDEXED BY fileByPresence
                        WHERE photo = :photo AND pack = :pack AND presence = key.value AND (failure IS NULL) = :yes
                        ORDER BY arrival LIMIT 1)
                    FROM json_each(:presences) AS key
                    UNION ALL SELECT (SELECT id FROM file INDEXED BY fileByPresence
                        WHERE photo = :photo AND pack = :pack AND presence = key.value AND (failure IS NULL) = :no
                        ORDER BY arrival LIMIT 1)
                    FROM json_each(:presences) AS key
                    UNION ALL SELECT file FROM attempt WHERE finished IS NULL
                    UNION ALL SELECT leftFile FROM stay WHERE photo = :photo AND leftFile IS NOT NULL)
                AND +photo = :photo AND +pack = :pack
                """,
            arguments: ["photo": photo, "pack": pack, "presences": presences, "yes": true, "no": false]
        ).map { (try FileRecord(row: $0), $0["isClaimed"]) }
    }

    private static let presences =
        "[\"" + KnownPhoto.File.Presence.allCases.map(\.rawValue).joined(separator: "\",\"") + "\"]"

    private static func results(of photo: String, in database: Database) throws -> [KnownPhoto.Result] {
        try Row.fetchAll(
            database, cached: "SELECT recipe, outcome, stickers FROM result WHERE photo = ?", arguments: [photo]
        ).compactMap { row in
            let outcome: KnownPhoto.Result.Outcome? =
                switch row["outcome"] as String {
                case FileState.failed.rawValue: .failed
                case FileState.noSubject.rawValue: .noSubject
                // What another Library's recipe made is not known.
                default: (row["stickers"] as Int?).map { .made($0) }
                }
            return outcome.map { KnownPhoto.Result(recipe: row["recipe"], outcome: $0) }
        }
    }

    /// Whether it has one there, even if it is missing from the outbox now, unless its photo has left, too.
    private static func hasSticker(_ photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try database.hasRow(
            cached: """
                SELECT 1 FROM sticker WHERE photo = ? AND pack = ? AND sha256 <> '' AND (published OR EXISTS (
                    SELECT 1 FROM file WHERE photo = sticker.photo AND pack = sticker.pack AND presence <> 'left')) LIMIT 1
                """, arguments: [photo, pack])
    }
}
