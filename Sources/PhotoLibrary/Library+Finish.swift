import Foundation
import GRDB
import PhotoCodecs
import PhotoColors
import PhotoFacts
package import PhotoRule
import SQLiteDatabase

/// How work on a claimed file ends.
extension Library {
    /// Ends a claim, and records what was made of the photo. Remade stickers keep their place and date. If the file
    /// came in again meanwhile, under the same name, it stays at the end of the queue. What `originals` requires for
    /// the file in the inbox is only recorded here.
    ///
    /// - Returns: the file's state now, with its reason; nil if the claim's file is another one by now.
    @discardableResult
    package func finish(
        _ claim: Claim, as ending: Ending, originals: OriginalsMode = .keep
    ) async throws -> (state: FileState, reason: String?)? {
        try await writeOnClaim { database in
            let file = try FileRecord.inProgress(claim, in: database)
            try Self.endAttempt(of: claim, outcome: ending.kind.rawValue, ending.reason, in: database)
            if let photo = file?.photo ?? ending.photo { try Self.store(ending, of: photo, claim, in: database) }
            if let file { try self.store(ending, of: file, in: database) }
            try Self.decideTouched(in: database)
            // Also of a file that waits again, for another reason.
            try database.execute(
                cached: "UPDATE file SET attempts = 0 WHERE id = ? AND arrival = ? AND attempts > 0",
                arguments: [claim.file, claim.arrival])
            guard let ended = try FileRecord.of(claim, in: database) else { return nil }
            if ended.path != claim.path, let photo = ended.photo {
                try Self.renameStickers(ofPhoto: photo, inPack: ended.pack, in: database)
            }
            try Self.intend(originals, for: ended, after: ending, in: database)
            return (ended.state, ended.reason)
        }
    }

    /// Fails a file that is in no claim any more.
    func fail(_ file: FileRecord, because reason: String, in database: Database) throws {
        let claim = Claim(
            file: file.id, attempt: 0, path: file.path, identity: file.identity, arrival: file.arrival,
            attempts: file.attempts)
        var ending = Ending.failed(reason: reason)
        if let photo = file.photo {
            let work = try Self.work(on: file.id, of: photo, inPack: file.pack, in: database)
            // Its sticker was being copied, which says nothing of what can be made of the photo.
            if case .copy = work { ending = .unreadable(reason: reason) }
            try Self.store(ending, of: photo, claim, in: database)
        }
        try store(ending, of: file, in: database)
        try Self.decideTouched(in: database)
        guard let file = try FileRecord.of(claim, in: database) else { return }
        try Self.intend(Self.rules(in: database).originals, for: file, after: ending, in: database)
    }

    /// Records what the ending says of the file.
    private func store(_ ending: Ending, of file: FileRecord, in database: Database) throws {
        switch ending.kind {
        case .failed where file.photo == nil, .unreadable:
            try database.execute(
                cached: "UPDATE file SET failure = ?, forbidden = ? WHERE id = ?",
                arguments: [ending.reason, ending.isForbidden, file.id])
            guard file.photo == nil else { return }
            try file.move(.end(.failed), because: ending.reason, in: database)
        case .ignored:
            if file.photo != nil { try recordDeparture(of: file, in: database) }
            try database.execute(
                cached: "UPDATE file SET photo = NULL, presence = 'here' WHERE id = ?", arguments: [file.id])
            try file.move(.end(.ignored), because: ending.reason, in: database)
        case .done, .noSubject, .failed, .duplicate, .upToDate:
            // Another photo may have come in under its name before this one was known.
            if file.photo == nil { try file.move(.release, in: database) }
        }
    }

    /// Records what the ending says of the photo.
    private static func store(_ ending: Ending, of photo: String, _ claim: Claim, in database: Database) throws {
        if ending.kind == .upToDate {
            let hasPalette = try database.hasRow(
                cached: "SELECT 1 FROM palette WHERE pack = ? AND photo = ?", arguments: [claim.pack, photo])
            if !hasPalette { try requestPalette(of: photo, pack: claim.pack, stems: ending.stems, in: database) }
        }
        guard ending.kind.isOfPhoto else { return }
        switch ending.kind {
        case .upToDate, .unreadable, .ignored, .duplicate: break
        case .done, .noSubject:
            if let result = ending.result { try store(result, ending, in: database) }
            for sticker in ending.stickers { try store(sticker, from: claim, in: database) }
            if let likeness = ending.likeness { try store(likeness.value, ofPhoto: likeness.photo, in: database) }
            if !ending.stickers.isEmpty || ending.kind == .noSubject {
                try requestPalette(of: photo, pack: claim.pack, stems: ending.stems, in: database)
            }
        case .failed:
            let recipe = try ending.recipe ?? meta(recipeKey, in: database)
            // What an earlier try found stays, as the colors of the sticker that stays.
            try database.execute(
                cached: """
                    INSERT INTO result (photo, recipe, outcome, reason, finished) VALUES (:photo, :recipe, 'failed', :reason, :now)
                    ON CONFLICT DO UPDATE SET outcome = 'failed', reason = excluded.reason
                    """, arguments: ["photo": photo, "recipe": recipe, "reason": ending.reason, "now": Date()])
        }
        let recipe = try ending.result?.recipe ?? ending.recipe ?? meta(recipeKey, in: database)
        try database.execute(
            cached: """
                INSERT INTO stay (photo, pack, decided, leader, likeness)
                VALUES (:photo, :pack, :recipe, :leader, :likeness)
                ON CONFLICT DO UPDATE SET decided = excluded.decided, isRequested = 0, leader = excluded.leader,
                    likeness = excluded.likeness
                """,
            arguments: [
                "photo": photo, "pack": claim.pack,
                "recipe": ending.kind == .failed || ending.result != nil ? recipe : nil,
                "leader": ending.like?.photo, "likeness": ending.like?.description,
            ])
    }

    private static func store(_ result: Ending.Result, _ ending: Ending, in database: Database) throws {
        let facts = result.facts
        // The latest one counts for palettes, also if the clock was set back since the others.
        let last = try Date.fetchOne(
            database, cached: "SELECT MAX(finished) FROM result WHERE photo = ?", arguments: [result.photo])
        let finished = max(Date(), last.map { $0 + 0.002 } ?? .distantPast)
        try database.execute(
            cached: "UPDATE photo SET format = ?, width = ?, height = ? WHERE sha256 = ?",
            arguments: [facts.format.rawValue, facts.width, facts.height, result.photo])
        try database.execute(
            cached: """
                INSERT OR REPLACE INTO result (photo, recipe, outcome, stickers, reason, confidence, colors, subjectColors,
                    finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                result.photo, result.recipe, ending.kind.rawValue, ending.stickers.count + ending.skipped.count,
                ending.reason, facts.confidence, facts.colors.description, facts.subjectColors?.description, finished,
            ])
    }

    /// Ends a claim whose file is gone or replaced. One without a sticker is forgotten. One that was renamed returns to
    /// the queue; any other waits until the Inbox reports whether it is gone or came in again.
    ///
    /// - Returns: why the photo fails, if its file is gone from where stickerd had moved it.
    @discardableResult
    package func abandon(_ claim: Claim) async throws -> String? {
        try await database.write { database in
            try Self.endAttempt(of: claim, outcome: "gone", in: database)
            guard let file = try FileRecord.inProgress(claim, in: database) else { return nil }
            if file.path != claim.path {
                try file.move(.release, in: database)
            } else if file.photo == nil {
                try file.move(.abandon, in: database)
            } else if try file.isInInbox && !Self.hasSticker(file, in: database) {
                try FileRecord.decide(file.id, nil, because: nil, in: database)
            } else {
                let reason =
                    file.isInInbox
                    ? "changed while in progress"
                    : "gone from the folder that it was moved to; drop it into the inbox again"
                try database.execute(
                    cached:
                        "UPDATE file SET presence = iif(presence = 'here', 'unread', presence), failure = ? WHERE id = ?",
                    arguments: [reason, file.id])
                try Self.decideTouched(in: database)
                if !file.isInInbox, try FileRecord.of(claim, in: database)?.state == .failed { return reason }
            }
            return nil
        }
    }

    /// Whether a file's photo has a sticker in its pack, or in one that it was moved out of.
    private static func hasSticker(_ file: FileRecord, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            cached: """
                SELECT EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack AND published)
                    OR EXISTS (SELECT 1 FROM stay WHERE photo = :photo AND leftFile = :file)
                """, arguments: ["photo": file.photo, "pack": file.pack, "file": file.id]) ?? false
    }
}
