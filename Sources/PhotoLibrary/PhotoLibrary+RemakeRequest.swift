import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// Requests that stickers be remade.
extension PhotoLibrary {
    /// The result of a request.
    package struct Remake: Sendable {
        /// Why a photo cannot be made again; the raw value completes "cannot be made again: ".
        package enum Unavailable: String, Sendable {
            case deleted = "deleted after the sticker was made (originals.mode)"
            case gone = "no longer in the inbox"
            case leftArchive = "no longer in the folder it was moved to"
        }

        /// Files that are waiting now.
        package var files = 0
        /// How many photos cannot be remade, by reason; they stay as they are.
        package var unavailable: [Unavailable: Int] = [:]
        /// The daemon to wake, if one is running.
        package var daemon: ProcessIdentity?
    }

    /// A file to remake if its photo can be found.
    private struct Candidate {
        let file: Int64
        let arrival: Int64
        let state: FileState
        let photo: String
        let pack: String
        let unavailable: Remake.Unavailable?

        /// Identifies the photo in its pack.
        var key: [UInt8] { Array("\(photo)/\(pack)".utf8) }
    }

    /// Requests that stickers be remade, whether or not the daemon of this state folder is running. Requeues their
    /// photos at their places if the inbox or the folder they were moved to still has them; all others stay as they
    /// are. Old stickers stay until the new ones are published.
    ///
    /// - Parameters:
    ///   - recipe: stickers made with this recipe are skipped; nil to remake all.
    ///   - inbox: where to look for photos; nil to trust the Library.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRemake(
        in folder: FilePath, otherThan recipe: String?, inbox: FilePath? = nil
    ) throws -> Remake {
        guard OwnedDescriptor.exists(folder.appending(fileName)) else { throw LibraryError.missing(folder) }
        do {
            let database = try connect(to: folder)
            let candidates = try database.read { try Self.candidates(otherThan: recipe, inbox: inbox, in: $0) }
            return try database.write { database in
                var remake = try request(candidates, otherThan: recipe, in: database)
                remake.daemon = try daemon(of: folder, in: database)
                return remake
            }
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
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
                WHERE (state IN ('done', 'duplicate') AND EXISTS (
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

    /// Why a file's photo cannot be read again; nil if no reason is known.
    private static func unavailable(
        _ file: FileRecord, _ original: Original?, inbox: FilePath?
    ) -> Remake.Unavailable? {
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
        guard let inbox else { return nil }
        do throws(Errno) {
            _ = try FileStatus(of: inbox.appending(bytes: file.path.bytes))
            return nil
        } catch {
            return error == .noSuchFileOrDirectory || error == .notDirectory ? .gone : nil
        }
    }

    /// Requests one file for each photo and pack, because a photo may be several files of a pack.
    private static func request(
        _ candidates: [Candidate], otherThan recipe: String?, in database: Database
    ) throws -> Remake {
        var remake = Remake()
        // Bytes, because two `String`s may be equal although the file system distinguishes them.
        var found: Set<[UInt8]> = []
        for candidate in candidates where candidate.unavailable == nil {
            let file = try FileRecord.fetchOne(
                database, sql: "SELECT * FROM file WHERE id = ? AND arrival = ? AND state = ?",
                arguments: [candidate.file, candidate.arrival, candidate.state])
            guard let file else { continue }
            try file.move(.requeue, in: database)
            remake.files += 1
            guard found.insert(candidate.key).inserted else { continue }
            try database.execute(
                sql: """
                    UPDATE sticker SET stale = 1 WHERE photo = :photo AND pack = :pack AND published
                        AND (:recipe IS NULL OR recipe <> :recipe)
                    """, arguments: ["photo": candidate.photo, "pack": candidate.pack, "recipe": recipe])
        }
        for candidate in candidates {
            guard let reason = candidate.unavailable else { continue }
            if found.insert(candidate.key).inserted { remake.unavailable[reason, default: 0] += 1 }
        }
        return remake
    }
}
