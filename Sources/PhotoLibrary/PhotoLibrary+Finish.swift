import Foundation
import GRDB
import PhotoCodecs
import PhotoColors
package import PhotoFacts
import PhotoLikeness
import Synchronization

/// How the work on a claimed file ended.
package struct Ending: Sendable {
    /// What is recorded of the photo, whichever files hold it.
    package struct Result: Sendable {
        /// SHA-256 of the photo, lowercase hexadecimal.
        package let photo: String
        package let facts: PhotoFacts
        /// The identifier of the recipe it was made with.
        package let recipe: String

        package init(photo: String, facts: PhotoFacts, recipe: String) {
            self.photo = photo
            self.facts = facts
            self.recipe = recipe
        }
    }

    enum Kind: String {
        /// Stickers were made or copied, if a user had not removed them.
        case done
        case noSubject
        /// Nothing can be made of the photo.
        case failed
        /// The file cannot be read.
        case unreadable
        /// The file is no photo.
        case ignored
        /// The photo is a near-duplicate to be skipped.
        case duplicate
        /// There was nothing to do.
        case settled
    }

    let kind: Kind
    /// One line for a person, if there is a reason.
    package var reason: String?
    var result: Result?
    var stickers: [StickerRecord] = []
    var stems: [String] = []
    /// The numbers of the stickers that were not made because a user had removed them.
    var skipped: Set<Int> = []
    /// The photo that it is a near-duplicate of, if it was skipped for that.
    var like: SimilarPhoto?
    /// The recipe that failed; nil for the current one.
    var recipe: String?
    /// Whether permissions were the reason.
    var isForbidden = false

    /// The photo whose stickers or colors were made.
    var photo: String? { stickers.first?.photo ?? result?.photo }

    /// Nil without a sticker: near-duplicates are compared with photos that have one.
    var likeness: (photo: String, value: PerceptualHash)? {
        guard kind == .done, let result, let likeness = result.facts.likeness else { return nil }
        return (result.photo, likeness)
    }

    /// The stickers were made, and are on disk in the outbox: all but `skipped`, maybe none.
    ///
    /// - Parameters:
    ///   - stickers: in order of their numbers.
    ///   - result: recorded of the photo.
    ///   - stems: as for `copied`.
    ///   - skipped: as for `copied`.
    package static func made(
        _ stickers: [StickerRecord], result: Result, stems: [String], skipping skipped: Set<Int> = []
    ) -> Ending {
        Ending(kind: .done, result: result, stickers: stickers, stems: stems, skipped: skipped)
    }

    /// The stickers were copied from another pack: all but `skipped`, maybe none.
    ///
    /// - Parameters:
    ///   - stickers: in order of their numbers.
    ///   - stems: names without extension for the photo's palette files, best first.
    ///   - skipped: the numbers of the stickers that a user had removed.
    package static func copied(
        _ stickers: [StickerRecord], stems: [String], skipping skipped: Set<Int> = []
    ) -> Ending {
        Ending(kind: .done, stickers: stickers, stems: stems, skipped: skipped)
    }

    /// There was nothing to do (`Resolution.settled`).
    package static let settled = Ending(kind: .settled)

    /// No subject is clear enough for a sticker, but the photo's colors are kept. `stems` are as for `copied`.
    package static func noSubject(_ result: Result, stems: [String]) -> Ending {
        Ending(kind: .noSubject, reason: noSubjectReason, result: result, stems: stems)
    }

    /// A near-duplicate of a photo with a sticker in this pack, skipped as the settings require.
    package static func nearDuplicate(of like: SimilarPhoto) -> Ending {
        Ending(kind: .duplicate, reason: like.description, like: like)
    }

    /// Why a photo has no sticker if no subject is clear, and what to do.
    package static let noSubjectReason = "no clear subject: try one thing on a calm background"

    /// The file is no photo, and is left alone until its contents change.
    package static let notAPicture = Ending(kind: .ignored, reason: "not a picture")

    /// Nothing can be made of the photo, whichever file holds it.
    ///
    /// - Parameters:
    ///   - reason: one line for a person.
    ///   - recipe: the identifier of the recipe that failed; nil for the current one.
    package static func failed(reason: String, recipe: String? = nil) -> Ending {
        Ending(kind: .failed, reason: reason, recipe: recipe)
    }

    /// The file could not be read, whatever photo it has.
    ///
    /// - Parameters:
    ///   - reason: one line for a person.
    ///   - isForbidden: whether permissions were the reason: those of a folder may change without a change of the file.
    package static func unreadable(reason: String, isForbidden: Bool = false) -> Ending {
        Ending(kind: .unreadable, reason: reason, isForbidden: isForbidden)
    }
}

/// How work on a claimed file ends.
extension PhotoLibrary {
    /// Ends a claim, and records what was made of the photo. Remade stickers keep their place and date. If the file
    /// came in again meanwhile, under the same name, it stays at the end of the queue. What `originals` requires for the file in
    /// the inbox is only recorded here.
    ///
    /// - Returns: the file's state now, with its reason; nil if the claim's file is another one by now.
    @discardableResult
    package func finish(
        _ claim: Claim, as ending: Ending, originals: OriginalsMode = .keep
    ) async throws -> (state: FileState, reason: String?)? {
        let end = try await database.write { database -> (state: FileState, reason: String?)? in
            let file = try FileRecord.inProgress(claim, in: database)
            try Self.endAttempt(of: claim, outcome: ending.kind.rawValue, ending.reason, in: database)
            try database.execute(cached: "DELETE FROM suspect WHERE file = ?", arguments: [claim.file])
            if let photo = file?.photo ?? ending.photo { try Self.store(ending, of: photo, claim, in: database) }
            if let file { try self.store(ending, of: file, in: database) }
            try Self.decideTouched(in: database)
            guard let ended = try FileRecord.of(claim, in: database) else { return nil }
            if ended.path != claim.path, let photo = ended.photo {
                try Self.renameStickers(ofPhoto: photo, inPack: ended.pack, in: database)
            }
            try Self.intend(originals, for: ended, in: database)
            return (ended.state, ended.reason)
        }
        markChanged([claim.pack])
        return end
    }

    /// Fails a file that is in no claim any more.
    func fail(
        _ file: FileRecord, because reason: String, _ originals: OriginalsMode, in database: Database
    ) throws {
        let claim = Claim(
            file: file.id, path: file.path, identity: file.identity, arrival: file.arrival, attempts: file.attempts,
            isSuspect: false)
        let ending = Ending.failed(reason: reason)
        if let photo = file.photo { try Self.store(ending, of: photo, claim, in: database) }
        try store(ending, of: file, in: database)
        try Self.decideTouched(in: database)
        if let file = try FileRecord.of(claim, in: database) { try Self.intend(originals, for: file, in: database) }
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
        case .done, .noSubject, .failed, .duplicate, .settled:
            // Another photo may have come in under its name before this one was known.
            if file.photo == nil { try file.move(.release, in: database) }
        }
    }

    /// Records what the ending says of the photo.
    private static func store(
        _ ending: Ending, of photo: String, _ claim: Claim, in database: Database
    ) throws {
        switch ending.kind {
        case .settled, .unreadable, .ignored: return
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
        case .duplicate: break
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
        try database.execute(
            cached: "UPDATE photo SET format = ?, width = ?, height = ? WHERE sha256 = ?",
            arguments: [facts.format.rawValue, facts.width, facts.height, result.photo])
        try ResultRecord(
            photo: result.photo, recipe: result.recipe, outcome: ending.kind.rawValue,
            stickers: ending.stickers.count + ending.skipped.count, reason: ending.reason,
            confidence: facts.confidence, colors: facts.colors.description,
            subjectColors: facts.subjectColors?.description, finished: Date()
        ).insert(database, onConflict: .replace)
    }

    /// Ends a claim whose file is gone or replaced. One without a sticker is forgotten. One that was renamed returns to the
    /// queue; any other waits until the Inbox reports whether it is gone or came in again.
    package func abandon(_ claim: Claim) async throws {
        try await database.write { database in
            try Self.endAttempt(of: claim, outcome: "gone", in: database)
            guard let file = try FileRecord.inProgress(claim, in: database) else { return }
            if file.path != claim.path {
                try file.move(.release, in: database)
            } else if file.photo == nil {
                try file.move(.abandon, in: database)
            } else if try file.isInInbox && !Self.hasSticker(file, in: database) {
                try FileRecord.decide(file.id, nil, because: nil, in: database)
            } else {
                try database.execute(
                    cached: """
                        UPDATE file SET presence = iif(presence = 'here', 'unread', presence),
                            failure = 'changed while in progress' WHERE id = ?
                        """, arguments: [file.id])
            }
        }
        markChanged([claim.pack])
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

/// A row of `result`: what a recipe made of a photo.
struct ResultRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "result"

    let photo: String
    let recipe: String
    /// `FinalState`'s raw value.
    let outcome: String
    /// How many it made; nil if that is unknown.
    let stickers: Int?
    let reason: String?
    let confidence: Double
    /// As in `PhotoColorSample.description`.
    let colors: String?
    let subjectColors: String?
    let finished: Date
}
