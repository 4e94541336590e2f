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

    let state: FinalState
    let reason: String?
    let result: Result?
    let stickers: [StickerRecord]
    let stems: [String]
    /// The numbers of the stickers that were not made because a user had removed them.
    var skipped: Set<Int> = []
    /// The photo that it is a near-duplicate of, if it was skipped for that.
    var like: SimilarPhoto?

    /// The state that decides what happens to its original. A skipped near-duplicate is no copy, and may be the only
    /// one.
    var fate: FinalState { like != nil ? .noSubject : state }

    /// The photo whose stickers are now exactly `stickers`; nil if they are unchanged.
    var photo: String? { stickers.first?.photo ?? result?.photo }

    /// Nil without a sticker: near-duplicates are compared with photos that have one.
    var likeness: (photo: String, value: PerceptualHash)? {
        guard state == .done, let result, let likeness = result.facts.likeness else { return nil }
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
        Ending(state: .done, reason: nil, result: result, stickers: stickers, stems: stems, skipped: skipped)
    }

    /// The stickers were copied from another pack: all but `skipped`, maybe none.
    ///
    /// - Parameters:
    ///   - stickers: in order of their numbers.
    ///   - stems: names without extension for the photo's palette files, best first.
    ///   - skipped: the numbers of the stickers that a user had removed. If one was restored meanwhile, `finish`
    ///     requeues the photo.
    package static func copied(
        _ stickers: [StickerRecord], stems: [String], skipping skipped: Set<Int> = []
    ) -> Ending {
        Ending(state: .done, reason: nil, result: nil, stickers: stickers, stems: stems, skipped: skipped)
    }

    /// The stickers exist already.
    package static let unchanged = Ending(state: .done, reason: nil, result: nil, stickers: [], stems: [])

    /// No subject is clear enough for a sticker, but the photo's colors are kept. `stems` are as for `copied`.
    package static func noSubject(_ result: Result, stems: [String]) -> Ending {
        Ending(
            state: .noSubject, reason: noSubjectReason, result: result, stickers: [], stems: stems)
    }

    /// The same bytes came in before, and had no clear subject.
    ///
    /// - Parameter reason: one line for a person.
    package static func noSubject(like reason: String) -> Ending {
        Ending(state: .noSubject, reason: reason, result: nil, stickers: [], stems: [])
    }

    /// The same bytes came in before, as this file of the pack.
    package static func duplicate(of path: InboxPath) -> Ending {
        Ending(state: .duplicate, reason: "duplicate of \(path)", result: nil, stickers: [], stems: [])
    }

    /// A near-duplicate of a photo with a sticker in this pack, skipped as the settings require.
    package static func nearDuplicate(of like: SimilarPhoto) -> Ending {
        Ending(state: .duplicate, reason: like.description, result: nil, stickers: [], stems: [], like: like)
    }

    /// Why a photo has no sticker if no subject is clear, and what to do.
    package static let noSubjectReason = "no clear subject: try one thing on a calm background"

    /// The file is no photo, and is left alone until its contents change.
    package static let notAPicture = Ending(
        state: .ignored, reason: "not a picture", result: nil, stickers: [], stems: [])

    /// - Parameter reason: one line for a person.
    package static func failed(reason: String) -> Ending {
        Ending(state: .failed, reason: reason, result: nil, stickers: [], stems: [])
    }
}

/// How work on a claimed file ends.
extension PhotoLibrary {
    /// Ends a claim, and records what was made of the photo. Remade stickers keep their place and date. If the file
    /// came in again meanwhile, under the same name, it stays at the end of the queue, and the photo counts as
    /// replaced. A photo returns to the queue if a request meanwhile requires more of its stickers. What `originals`
    /// requires for the file in the inbox is only recorded here.
    package func finish(_ claim: Claim, as ending: Ending, originals: OriginalsMode = .keep) async throws {
        let packs = try await database.write { database -> Set<ExactName> in
            let file = try FileRecord.inProgress(claim, in: database)
            let isRepacked = ending.state.state.isRepackedIfMoved
            // A file that was moved to another pack meanwhile needs its sticker there; this one is withdrawn once that
            // is made.
            let isElsewhere = file.map { isRepacked && !$0.pack.isExactly(claim.pack) } ?? false
            var isRemoved = false
            let mustRequeue = try Self.isIncomplete(ending, file, in: database)
            if isElsewhere {
                try file?.move(.repack, in: database)
            } else if let file {
                isRemoved = try Self.isRemoved(file, ending, in: database)
                if isRemoved {
                    try file.move(.end(.done), in: database)
                } else {
                    try file.move(.end(ending.state), because: ending.reason, in: database)
                    try Self.intend(originals, ending.fate, reason: ending.reason, file: file.id, in: database)
                }
            }
            try Self.endAttempt(of: claim, outcome: ending.state.rawValue, ending.reason, in: database)
            try database.execute(cached: "DELETE FROM suspect WHERE file = ?", arguments: [claim.file])
            try Self.store(ending, of: claim, in: database)
            if isRemoved, let photo = file?.photo {
                try Self.forgetPalette(of: photo, pack: claim.pack, in: database)
            }
            if let file, file.path != claim.path, !isElsewhere, let photo = ending.photo {
                try self.renameStickers(ofPhoto: photo, inPack: claim.pack, in: database)
            }
            if mustRequeue, !isElsewhere, let photo = file?.photo {
                _ = try Self.requeue(photo, inPack: claim.pack, in: database)
            }
            if file == nil {
                try Self.recordReplaced(ending.photo, inPack: claim.pack, by: claim.file, in: database)
                // It may be the same photo again, whose sticker then stays.
                if try FileRecord.isUnfinished(claim.file, in: database) { return [] }
            }
            let photo = try String.fetchOne(
                database, cached: "SELECT photo FROM file WHERE id = ?", arguments: [claim.file])
            if isElsewhere, let file {
                try Self.recordReplaced(photo, inPack: claim.pack, by: claim.file, isMove: true, in: database)
                try Self.moveRemovals(
                    of: photo, from: claim.pack, to: file.pack, without: claim.file, in: database)
                return []
            }
            return try self.withdrawReplaced(by: claim.file, photo: photo, in: database)
        }
        markChanged(packs.union([ExactName(claim.pack)]))
    }

    /// Records what was made of the photo.
    private static func store(_ ending: Ending, of claim: Claim, in database: Database) throws {
        if let result = ending.result {
            let facts = result.facts
            try database.execute(
                cached: "UPDATE photo SET format = ?, width = ?, height = ? WHERE sha256 = ?",
                arguments: [facts.format.rawValue, facts.width, facts.height, result.photo])
            try ResultRecord(
                photo: result.photo, recipe: result.recipe, outcome: ending.state.rawValue, reason: ending.reason,
                confidence: facts.confidence, colors: facts.colors.description,
                subjectColors: facts.subjectColors?.description, finished: Date()
            ).insert(database, onConflict: .replace)
        }
        for sticker in ending.stickers { try store(sticker, from: claim, in: database) }
        if let like = ending.like { try recordNearDuplicate(claim, of: like, in: database) }
        if let likeness = ending.likeness { try store(likeness.value, ofPhoto: likeness.photo, in: database) }
        guard let photo = ending.photo else { return }
        // Removed stickers leave gaps.
        let end = (ending.stickers.last?.ordinal ?? -1) + 1
        try withdraw(ofPhoto: photo, pack: claim.pack, fromOrdinal: end, in: database)
        // All of its stickers were removed.
        if ending.stickers.isEmpty, ending.state == .done { return }
        if ending.stickers.isEmpty { try requeueNearDuplicates(ofPhoto: photo, pack: claim.pack, in: database) }
        try requestPalette(of: photo, pack: claim.pack, stems: ending.stems, in: database)
    }

    /// Ends a claim whose file is gone or replaced, and forgets it. A file that was renamed returns to the queue. A
    /// file whose stickers may have to be withdrawn stays, ignored, until the Inbox reports whether it is gone or came in
    /// again.
    package func abandon(_ claim: Claim) async throws {
        try await database.write { database in
            if let file = try FileRecord.inProgress(claim, in: database) {
                try self.abandon(file, of: claim, in: database)
            }
            try Self.endAttempt(of: claim, outcome: "gone", in: database)
        }
        markChanged([claim.pack])
    }

    private func abandon(_ file: FileRecord, of claim: Claim, in database: Database) throws {
        if file.path != claim.path {
            try file.move(.release, in: database)
        } else if let original = try Original.of(file, in: database) {
            // stickerd itself moved or removed the file, so its record and its sticker stay.
            guard original.finished != nil, file.photo != nil else { return _ = try file.move(.abandon, in: database) }
            try file.move(.end(try Self.hasNoSubject(file, in: database) ? .noSubject : .done), in: database)
        } else if try hasStickersToWithdraw(file, in: database) {
            try file.move(.ignore, because: "changed while in progress", in: database)
        } else {
            try file.move(.abandon, in: database)
        }
    }

    /// Whether stickers will be withdrawn if the file is gone, or when its photo gets its sticker: in its pack and of
    /// photos that it replaced if the setting says so; in packs that it was moved out of whatever the setting.
    private func hasStickersToWithdraw(_ file: FileRecord, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            cached: """
                SELECT EXISTS (SELECT 1 FROM replaced WHERE file = :file AND (moved OR :withdraws))
                    OR :withdraws AND EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack)
                """,
            arguments: [
                "file": file.id, "withdraws": withdrawsRemoved.load(ordering: .relaxed), "photo": file.photo,
                "pack": file.pack,
            ]) ?? false
    }

    private static func hasNoSubject(_ file: FileRecord, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            cached: """
                SELECT EXISTS (SELECT 1 FROM result WHERE photo = :photo AND outcome = 'noSubject')
                    AND NOT EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack)
                """, arguments: ["photo": file.photo, "pack": file.pack]) ?? false
    }
}

/// A row of `result`: what a recipe made of a photo.
struct ResultRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "result"

    let photo: String
    let recipe: String
    /// `FinalState`'s raw value.
    let outcome: String
    let reason: String?
    let confidence: Double
    /// As in `PhotoColorSample.description`.
    let colors: String?
    let subjectColors: String?
    let finished: Date
}
