import FileNames
import Foundation
package import GRDB
package import PhotoRule
import SQLiteDatabase

/// Carries out what `KnownPhoto.decide` says. Triggers collect the photos of which a fact has changed, and each
/// transaction decides them before it ends, so that no caller can forget one.
extension Library {
    /// The most rounds of one transaction. What a decision deletes is decided again, and then nothing changes.
    private static let maxRounds = 4

    /// Decides the photos that this transaction has touched.
    package static func decideTouched(in database: Database) throws {
        for _ in 0..<maxRounds {
            let photos = try String.fetchAll(database, cached: "DELETE FROM touched RETURNING photo")
            if photos.isEmpty { return }
            let rules = try rules(in: database)
            for photo in photos {
                let facts = try facts(of: photo, in: database)
                try apply(facts.decide(by: rules), to: photo, facts, rules.originals, in: database)
            }
        }
        assertionFailure("the decisions about a photo do not come to rest")
    }

    /// Leaves all but a batch of the photos that this transaction has touched to `decideBatch`: a setting may concern
    /// every photo, and the Library would be locked until all are decided.
    package static func postponeTouched(in database: Database) throws {
        let first = try String.fetchOne(
            database, cached: "SELECT photo FROM touched ORDER BY photo LIMIT 1 OFFSET ?", arguments: [batch])
        guard let first else { return }
        try database.execute(
            sql: "INSERT OR IGNORE INTO undecided SELECT photo FROM touched WHERE photo >= ?", arguments: [first])
        try database.execute(sql: "DELETE FROM touched WHERE photo >= ?", arguments: [first])
    }

    /// Decides a batch of the photos that were left undecided, by an earlier process, too. Returns whether there were
    /// any.
    package func decideBatch() async throws -> Bool {
        try await database.write { database in
            try database.execute(
                cached: "INSERT OR IGNORE INTO touched SELECT photo FROM undecided LIMIT ?", arguments: [Self.batch])
            guard database.changesCount > 0 else { return false }
            try database.execute(cached: "DELETE FROM undecided WHERE photo IN (SELECT photo FROM touched)")
            return true
        }
    }

    /// The settings that decisions depend on.
    struct Rules {
        let recipe: String
        let skipsNearDuplicates: Bool
        /// For files whose work ends without a claim.
        let originals: OriginalsMode
    }

    private static let nearDuplicatesKey = "skipsNearDuplicates"

    static func rules(in database: Database) throws -> Rules {
        Rules(
            recipe: try meta(recipeKey, in: database) ?? "",
            skipsNearDuplicates: try meta(nearDuplicatesKey, in: database) != "0",
            originals: try meta(originalsKey, in: database).flatMap(OriginalsMode.init) ?? .keep)
    }

    /// Applies from now on, also to photos that were skipped before.
    package func adopt(skipsNearDuplicates: Bool) async throws {
        let value = skipsNearDuplicates ? "1" : "0"
        try await database.write { database in
            guard try Self.meta(Self.nearDuplicatesKey, in: database) != value else { return }
            try Self.setMeta(Self.nearDuplicatesKey, value, in: database)
            try database.execute(sql: "INSERT OR IGNORE INTO touched SELECT photo FROM stay WHERE leader IS NOT NULL")
            try Self.postponeTouched(in: database)
        }
    }

    /// Decides what is to be done with a file; nil if nothing is, or another file stands for its photo in the pack.
    static func work(
        on file: Int64, of photo: String, inPack pack: String, in database: Database
    ) throws -> Decision.Work? {
        let (facts, decision) = try decision(about: photo, in: database)
        return zip(facts.files, decision.packs).first { files, answer in
            answer.first.map { files[$0].id == file && files[$0].pack.isExactly(pack) } == true
        }?.1.work
    }

    /// Decides a photo without carrying it out.
    package static func decision(
        about photo: String, in database: Database
    ) throws -> (facts: Facts, decision: Decision) {
        let facts = try facts(of: photo, in: database)
        return (facts, facts.decide(by: try rules(in: database)))
    }
}

extension Library.Facts {
    func decide(by rules: Library.Rules) -> Decision {
        photo.decide(recipe: rules.recipe, skipsNearDuplicates: rules.skipsNearDuplicates)
    }
}

// MARK: - Carrying it out

extension Library {
    private static func apply(
        _ decision: Decision, to photo: String, _ facts: Facts, _ originals: OriginalsMode, in database: Database
    ) throws {
        var palettes: [(pack: String, isUsed: Bool, isRequired: Bool)] = []
        try carryRemovals(decision, of: photo, facts, in: database)
        for (index, answer) in decision.packs.enumerated() {
            let known = facts.photo.packs[index]
            let pack = known.name.text
            for withdrawal in answer.withdrawn {
                try withdraw(ofPhoto: photo, pack: pack, ordinal: withdrawal.ordinal, in: database)
            }
            let ends = try StateReasons(of: photo, answer, facts.files[index], facts.stays[index], in: database)
            let hasWaiting = try originals != .keep && hasWaitingFile(of: photo, inPack: pack, in: database)
            for (file, state) in zip(facts.files[index], answer.states) {
                let reason = ends.reason(of: file, state)
                if let state, file.state == state, file.reason == reason { continue }
                try FileRecord.decide(file.id, state, because: reason, in: database)
            }
            try FileRecord.decide(
                othersOf: photo, inPack: pack, except: facts.files[index],
                answer.copies.map { ($0, ends.ofCopies($0)) }, in: database)
            let rest = known.stickers.count - answer.withdrawn.count
            if let first = ends.first, rest > 0 { try setSource(first.id, of: photo, pack: pack, in: database) }
            let isShown = known.stickers.contains { sticker in
                sticker.isPublished && !answer.withdrawn.contains { $0.ordinal == sticker.ordinal }
            }
            // Its row stays, so no trigger touches the photos that were skipped because of its sticker.
            if ends.first == nil, rest > 0, !isShown { try touch(followersOf: photo, inPack: pack, in: database) }
            let isUsed = isShown || ends.state == .noSubject || ends.state == .pending || ends.state == .processing
            palettes.append((pack, isUsed, rest == 0 && ends.state == .noSubject))
            try store(answer, of: photo, pack: pack, facts.stays[index], in: database)
            if hasWaiting { try intend(originals, forCopiesOf: photo, inPack: pack, in: database) }
        }
        try givePalettes(palettes, of: photo, in: database)
        if decision.packs.allSatisfy({ $0.since == nil }) { try forget(photo, in: database) }
    }

    private static func touch(followersOf photo: String, inPack pack: String, in database: Database) throws {
        try database.execute(
            cached: """
                INSERT INTO touched SELECT photo FROM stay WHERE leader = ? AND pack = ? AND leader IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = stay.photo)
                """, arguments: [photo, pack])
    }

    /// Deletes a photo, with its results, if nothing is left of it and no work on it is under way.
    private static func forget(_ photo: String, in database: Database) throws {
        try database.execute(
            cached: """
                DELETE FROM photo WHERE sha256 = :photo AND NOT EXISTS (SELECT 1 FROM file WHERE photo = :photo)
                    AND NOT EXISTS (SELECT 1 FROM stay WHERE photo = :photo)
                    AND NOT EXISTS (SELECT 1 FROM sticker WHERE photo = :photo)
                    AND NOT EXISTS (SELECT 1 FROM removed WHERE photo = :photo)
                    AND NOT EXISTS (SELECT 1 FROM attempt WHERE finished IS NULL AND photo = :photo)
                """, arguments: ["photo": photo])
    }

    /// Moves removals along with the photo: to packs that it has arrived in first, because the former ones have their
    /// names and dates.
    private static func carryRemovals(
        _ decision: Decision, of photo: String, _ facts: Facts, in database: Database
    ) throws {
        for (known, answer) in zip(facts.photo.packs, decision.packs) {
            for ordinal in answer.removed where !known.removed.contains(ordinal) {
                try database.execute(
                    cached: """
                        INSERT INTO removed SELECT photo, ?, ordinal, file, since FROM removed
                        WHERE photo = ? AND ordinal = ? LIMIT 1
                        """, arguments: [known.name.text, photo, ordinal])
            }
        }
        for (known, answer) in zip(facts.photo.packs, decision.packs) {
            for ordinal in known.removed where !answer.removed.contains(ordinal) {
                try database.execute(
                    cached: "DELETE FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
                    arguments: [photo, known.name.text, ordinal])
            }
        }
    }

    /// The file that stands for the photo is the source of its stickers' names.
    private static func setSource(_ file: Int64, of photo: String, pack: String, in database: Database) throws {
        try database.execute(
            cached: "UPDATE sticker SET source = ? WHERE photo = ? AND pack = ? AND source <> ?",
            arguments: [file, photo, pack, file])
        if database.changesCount > 0 { try renameStickers(ofPhoto: photo, inPack: pack, in: database) }
    }

    /// A photo has palettes where it has a sticker or no subject. Where it came without a subject, they get their
    /// former name.
    private static func givePalettes(
        _ packs: [(pack: String, isUsed: Bool, isRequired: Bool)], of photo: String, in database: Database
    ) throws {
        let stems = try packs.map { pack in
            try String.fetchOne(
                database, cached: "SELECT stem FROM palette WHERE photo = ? AND pack = ?",
                arguments: [photo, pack.pack])
        }
        for (pack, stem) in zip(packs, stems) {
            if stem != nil {
                if !pack.isUsed { try forgetPalette(of: photo, pack: pack.pack, in: database) }
            } else if pack.isRequired, let former = stems.lazy.compactMap(\.self).first {
                try requestPalette(of: photo, pack: pack.pack, stems: [former, "\(former)-\(photo)"], in: database)
            }
        }
    }

    private static func store(
        _ answer: Decision.InPack, of photo: String, pack: String, _ known: Stay?, in database: Database
    ) throws {
        let isHere = answer.since != nil
        if !isHere, answer.forgetsDeparture || known?.leftAt == nil {
            guard known != nil else { return }
            return try database.execute(
                cached: "DELETE FROM stay WHERE photo = ? AND pack = ?", arguments: [photo, pack])
        }
        let isOver = answer.forgetsDeparture && known?.leftAt != nil
        guard known?.since != answer.since || known?.decided != answer.decided || isOver else { return }
        try database.execute(
            cached: """
                INSERT INTO stay (photo, pack, since, decided) VALUES (:photo, :pack, :since, :decided)
                ON CONFLICT DO UPDATE SET since = :since, decided = :decided
                """,
            arguments: ["photo": photo, "pack": pack, "since": answer.since, "decided": answer.decided])
        guard isOver else { return }
        try database.execute(
            cached: """
                UPDATE stay SET leftSince = NULL, leftAt = NULL, leftUnder = NULL, leftFile = NULL, isRename = NULL
                WHERE photo = ? AND pack = ?
                """, arguments: [photo, pack])
    }
}
