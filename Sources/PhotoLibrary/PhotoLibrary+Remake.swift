package import FileNames
import Foundation
import GRDB
import Glibc
import LinuxIO
import PhotoRule
import SQLiteDatabase
import Synchronization
package import SystemPackage

/// Requeues photos whose stickers or thumbnails are missing from the outbox.
extension PhotoLibrary {
    /// Requeues the photos whose thumbnails are missing from the outbox. Their stickers stay in the pack without a
    /// thumbnail until they are remade. Returns how many photos were requeued.
    ///
    /// Works in batches, so that other calls run in between; if it is interrupted, the next audit finds the rest.
    package func remake(thumbnails: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(thumbnails, ofPack: pack) { thumbnail, database in
            let photo = try String.fetchOne(
                database,
                sql: "UPDATE sticker SET stale = 1, thumbnail = NULL WHERE pack = ? AND thumbnail = ? RETURNING photo",
                arguments: [pack, thumbnail.text])
            return try Self.isWaiting(photo, inPack: pack, in: database)
        }
    }

    /// Removes stickers that are missing from the outbox from the pack, and requeues their photos if the inbox still
    /// has a file with the photo, under any name. They keep their places in the pack. Returns how many photos were
    /// requeued.
    ///
    /// Works in batches, as above.
    package func remake(_ files: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(files, ofPack: pack) { try Self.remake($0.text, inPack: pack, in: $1) }
    }

    /// Stickers of a pack with these names whose photos are not waiting there: while one is, its sticker's file may be
    /// newer than its row.
    package func settledStickers(ofPack pack: String, among names: Set<ExactName>) async throws -> [StickerRecord] {
        try await database.read { database in
            try names.compactMap { name in
                try StickerRecord.fetchOne(
                    database,
                    cached: """
                        SELECT * FROM sticker WHERE pack = ? AND file = ? AND published AND NOT EXISTS (SELECT 1 FROM file
                            WHERE photo = sticker.photo AND pack = sticker.pack AND state IN ('pending', 'processing'))
                        """, arguments: [pack, name.text])
            }
        }
    }

    /// Has stickers remade whose files others have changed, and takes them out of their packs until then. Leaves alone
    /// those whose photos the inbox does not have any more, those that were made again meanwhile, and those that have
    /// been changed too often since the start. Returns how many are remade.
    package func remake(changed stickers: [StickerRecord]) async throws -> Int {
        var count = 0
        for sticker in stickers {
            let key = ExactName("\(sticker.pack)/\(sticker.file)")
            guard changes.withLock({ $0[key, default: 0] < Self.mostChanges }) else { continue }
            let isRemade = try await database.write { database in
                guard
                    try StickerRecord.fetchOne(
                        database, cached: "SELECT * FROM sticker WHERE pack = ? AND file = ? AND published",
                        arguments: [sticker.pack, sticker.file]) == sticker
                else { return false }
                var isWaiting = false
                try database.inSavepoint {
                    isWaiting = try Self.remake(sticker.file, inPack: sticker.pack, in: database)
                    return isWaiting ? .commit : .rollback
                }
                return isWaiting
            }
            guard isRemade else { continue }
            count += 1
            changes.withLock { $0[key, default: 0] += 1 }
        }
        return count
    }

    /// How often a sticker that others change is remade: another program may change each new file.
    private static let mostChanges = 3

    /// Records the modification times of stickers' files whose contents are as recorded.
    package func record(modified times: [(sticker: StickerRecord, modified: Int64)]) async throws {
        let changed = times.filter { $0.sticker.modified != $0.modified }
        guard !changed.isEmpty else { return }
        try await database.write { database in
            for (sticker, modified) in changed {
                try database.execute(
                    cached: "UPDATE sticker SET modified = ? WHERE pack = ? AND file = ? AND sha256 = ?",
                    arguments: [modified, sticker.pack, sticker.file, sticker.sha256])
            }
        }
    }

    private func inBatches(
        _ names: Set<ExactName>, ofPack pack: String, remake: @escaping @Sendable (ExactName, Database) throws -> Bool
    ) async throws -> Int {
        var rest = names.sorted()[...]
        var count = 0
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            count += try await database.write { database in try batch.count { try remake($0, database) } }
        }
        return count
    }

    /// Returns whether the sticker's photo was requeued.
    static func remake(_ file: String, inPack pack: String, in database: Database) throws -> Bool {
        let sticker = try Row.fetchOne(
            database,
            sql: "UPDATE sticker SET published = 0, listed = 0 WHERE pack = ? AND file = ? RETURNING photo, thumbnail",
            arguments: [pack, file])
        if try isWaiting(sticker?["photo"], inPack: pack, in: database) { return true }
        // Its thumbnail goes, too. The sticker keeps its name for the photo's return.
        if let thumbnail = sticker?["thumbnail"] as String? {
            try withdraw("thumbnails/\(thumbnail)", ofPack: pack, in: database)
        }
        try database.execute(
            sql: "UPDATE sticker SET thumbnail = NULL WHERE pack = ? AND file = ?", arguments: [pack, file])
        return false
    }

    /// Whether a photo is to be worked on in a pack, as decided now.
    private static func isWaiting(_ photo: String?, inPack pack: String, in database: Database) throws -> Bool {
        try decideTouched(in: database)
        return try Row.fetchOne(
            database,
            sql: "SELECT 1 FROM file WHERE photo = ? AND pack = ? AND state IN ('pending', 'processing') LIMIT 1",
            arguments: [photo, pack]) != nil
    }

    /// Takes damaged stickers out of the packs, and requeues their photos; decides `photos` again.
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
        }
    }
}

/// Requests that stickers be remade.
extension PhotoLibrary {
    /// Why a photo cannot be remade; the raw value completes "3 skipped: ".
    private enum Unavailable: String {
        case deleted = "photo deleted (originals.mode)"
        case gone = "photo gone"
        case leftArchive = "photo gone from the folder it was moved to"
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
    private static func unavailable(
        _ file: FileRecord, _ original: Original?, inbox: FilePath?
    ) -> Unavailable? {
        if let original {
            let copy = original.target.flatMap { try? FileStatus(of: $0) }
            let isAtTarget = copy.map(original.hasContents(of:)) == true
            switch original.outcome {
            case .removed: return .deleted
            case .gone: return .gone
            case .moved: return isAtTarget ? nil : .leftArchive
            case nil:
                // The original may be removed at any moment.
                if original.action == .remove { return .deleted }
                if isAtTarget { return nil }
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
        answer.notes = skipped.sorted { $0.key < $1.key }.map { "\($0.value) skipped: \($0.key)" }
        return answer
    }
}
