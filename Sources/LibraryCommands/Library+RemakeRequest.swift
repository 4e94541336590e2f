import FileNames
import GRDB
import LinuxIO
package import PhotoLibrary
import PhotoRule
package import SystemPackage

/// Requests that stickers be remade.
extension Library {
    /// Why a photo cannot be remade; the raw value completes "3 skipped: ".
    private enum Unavailable: String {
        case deleted = "photo deleted (originals.mode)"
        case gone = "photo gone"
        case leftArchive = "photo gone from the folder it was moved to, or changed there"
    }

    /// A file to remake if its photo can be found.
    private struct Candidate {
        let file: Int64
        let arrival: Int64
        let state: FileState
        let photo: String
        let pack: String
        let unavailable: Unavailable?

        /// Identifies the photo in its pack.
        var key: ExactName { ExactName("\(photo)/\(pack)") }
    }

    /// Requests that stickers be remade, whether or not the daemon of this state folder is running. Requeues their
    /// photos at their places if the inbox or the folder they were moved to still has them; all others are unchanged.
    /// Old stickers stay until the new ones are published.
    ///
    /// - Parameters:
    ///   - recipe: stickers made with this recipe are skipped; nil to remake all.
    ///   - inbox: where to look for photos; nil to trust the Library.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRemake(
        in folder: FilePath, otherThan recipe: String?, inbox: FilePath? = nil
    ) throws -> Answer {
        let candidates = try connecting(to: folder) { queue in
            try queue.read { try Self.candidates(otherThan: recipe, inbox: inbox, in: $0) }
        }
        return try writing(in: folder) { database in
            let answer = try request(candidates, otherThan: recipe, in: database)
            try postponeTouched(in: database)
            return answer
        }
    }

    private static func candidates(
        otherThan recipe: String?, inbox: FilePath?, in database: Database
    ) throws -> [Candidate] {
        // Photos of an unavailable inbox cannot be checked.
        let searched = try inbox.flatMap { inbox in
            let place = try inboxPlace(at: inbox, in: database)
            return place != nil && (try? DirectoryIdentity(of: inbox)) == place ? inbox : nil
        }
        let files = try FileRecord.fetchCursor(
            database,
            sql: """
                SELECT * FROM file
                WHERE (state IN ('done', 'duplicate', 'failed') AND EXISTS (
                        SELECT 1 FROM sticker WHERE photo = file.photo AND sticker.pack = file.pack AND published
                            AND (stale OR :recipe IS NULL OR recipe <> :recipe)))
                    OR (state = 'noSubject' AND NOT EXISTS (
                        SELECT 1 FROM result WHERE photo = file.photo AND recipe = :recipe))
                ORDER BY file.id
                """, arguments: ["recipe": recipe])
        var candidates: [Candidate] = []
        while let file = try files.next() {
            candidates.append(
                Candidate(
                    file: file.id, arrival: file.arrival, state: file.state, photo: file.photo ?? "", pack: file.pack,
                    unavailable: unavailable(file, try Original.of(file, in: database), inbox: searched)))
        }
        return candidates
    }

    /// Why a file's photo cannot be read again; nil if it probably can.
    private static func unavailable(_ file: FileRecord, _ original: Original?, inbox: FilePath?) -> Unavailable? {
        if let original {
            switch original.outcome {
            case .removed: return .deleted
            case .gone: return .gone
            case .moved: return original.isAtTarget ? nil : .leftArchive
            case nil:
                // The original may be removed at any moment.
                if original.action == .remove { return .deleted }
                if original.isAtTarget { return nil }
            }
        }
        if file.isElsewhere { return .gone }
        return inbox.map { file.path.isGone(from: $0) } == true ? .gone : nil
    }

    /// Requeues every available file. Marks stickers, and counts unavailable photos, once per photo and pack: several
    /// files of a pack may hold one photo.
    private static func request(
        _ candidates: [Candidate], otherThan recipe: String?, in database: Database
    ) throws -> Answer {
        var answer = Answer()
        var found: Set<ExactName> = []
        var skipped: [String: Int] = [:]
        for candidate in candidates where candidate.unavailable == nil {
            let file = try FileRecord.fetchOne(
                database, sql: "SELECT * FROM file WHERE id = ? AND arrival = ? AND state = ?",
                arguments: [candidate.file, candidate.arrival, candidate.state])
            guard file != nil else { continue }
            try database.execute(
                sql: "UPDATE file SET failure = NULL, forbidden = 0 WHERE id = ?", arguments: [candidate.file])
            answer.photos += 1
            guard found.insert(candidate.key).inserted else { continue }
            // Stickers that wait for the photo's move to this pack, too: they would be brought along as they are.
            try database.execute(
                sql: """
                    UPDATE sticker SET stale = 1 WHERE photo = :photo AND published
                        AND (:recipe IS NULL OR recipe <> :recipe)
                        AND (pack = :pack OR NOT EXISTS (SELECT 1 FROM file
                            WHERE photo = :photo AND pack = sticker.pack AND presence <> 'left'))
                    """, arguments: ["photo": candidate.photo, "pack": candidate.pack, "recipe": recipe])
            try database.execute(
                sql: """
                    UPDATE stay SET decided = NULL, isRequested = isRequested OR :isOfNothing
                    WHERE photo = :photo AND pack = :pack
                    """,
                arguments: [
                    "photo": candidate.photo, "pack": candidate.pack, "isOfNothing": candidate.state == .noSubject,
                ])
        }
        for candidate in candidates {
            guard let reason = candidate.unavailable else { continue }
            if found.insert(candidate.key).inserted { skipped[reason.rawValue, default: 0] += 1 }
        }
        // Their files are forgotten: others have taken their names, or their history was deleted.
        let forgotten = try Int.fetchOne(
            database,
            sql: """
                SELECT COUNT(*) FROM (SELECT DISTINCT photo, pack FROM sticker
                    WHERE published AND (stale OR :recipe IS NULL OR recipe <> :recipe) AND NOT EXISTS
                        (SELECT 1 FROM file WHERE photo = sticker.photo AND photo IS NOT NULL))
                """, arguments: ["recipe": recipe])
        if let forgotten, forgotten > 0 { skipped[Unavailable.gone.rawValue, default: 0] += forgotten }
        answer.notes = skipped.sorted { $0.key < $1.key }.map { "\($0.value) skipped: \($0.key)" }
        return answer
    }

    /// Takes damaged stickers out of the packs, and requeues their photos; decides `photos` again; has a running daemon
    /// compare all files.
    /// Works whether or not the daemon of this state folder is running.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRepair(in folder: FilePath, stickers: [StickerRecord], photos: [String]) throws {
        try writing(in: folder) { database in
            for sticker in stickers {
                _ = try remake(sticker.file, inPack: sticker.pack, in: database)
            }
            for photo in photos {
                try database.execute(sql: "INSERT OR IGNORE INTO touched VALUES (?)", arguments: [photo])
            }
            try setMeta(recheckKey, "1", in: database)
        }
    }
}
