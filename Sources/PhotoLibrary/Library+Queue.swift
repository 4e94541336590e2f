package import FileNames
import Foundation
import GRDB
package import LinuxIO
import PhotoRule
import SQLiteDatabase

/// A file taken from the queue: `processing` until it is finished, released or found gone.
package struct Claim: Sendable {
    /// The Library's key of the file.
    package let file: Int64
    /// The Library's key of this attempt: an earlier one of the file may be in progress, too, with contents that it
    /// had.
    let attempt: Int64
    /// Its path when it was claimed; it may be renamed meanwhile.
    package let path: InboxPath
    /// As the Inbox recorded it. A file that was written to since, or another one, is not processed.
    package let identity: FileIdentity
    /// Its place in the order of arrival.
    package let arrival: Int64
    /// Unfinished attempts, including this one.
    package let attempts: Int
    /// Whether it may have crashed a worker or the daemon; it runs alone then.
    package var isSuspect: Bool { attempts > 1 }

    /// The pack's name in the Library: '' for the root pack.
    package var pack: String { path.pack ?? "" }
}

/// Claiming files, and releasing them.
extension Library {
    /// Claims the next `limit` files in order of arrival, except held `packs`, `files` (Library keys) and `arrivals`
    /// (places in that order), and those that were moved out of the inbox, if these are held. Attempts are on disk
    /// before this returns, so that after a crash the photos in progress are known.
    ///
    /// A suspect, an attempt at which did not end, is claimed alone: if it is next while other files are in progress
    /// (not `isIdle`), nothing is claimed.
    package func claim(
        limit: Int, exceptPacks packs: Set<ExactName> = [], exceptFiles files: Set<Int64> = [],
        exceptArrivals arrivals: Set<Int64> = [], exceptMoved: Bool = false, isIdle: Bool = true
    ) async throws -> [Claim] {
        let excepted: StatementArguments = [
            "packs": String(decoding: try JSONEncoder().encode(packs.sorted().map(\.text)), as: UTF8.self),
            "files": String(decoding: try JSONEncoder().encode(files.sorted()), as: UTF8.self),
            "arrivals": String(decoding: try JSONEncoder().encode(arrivals.sorted()), as: UTF8.self),
            "exceptsMoved": exceptMoved, "limit": limit,
        ]
        return try await database.write { database in
            let files = try FileRecord.fetchAll(
                database,
                cached: """
                    SELECT * FROM file WHERE state = 'pending' AND pack NOT IN (SELECT value FROM json_each(:packs))
                        AND id NOT IN (SELECT value FROM json_each(:files))
                        AND file.arrival NOT IN (SELECT value FROM json_each(:arrivals))
                        AND NOT (:exceptsMoved AND EXISTS (SELECT 1 FROM original
                            WHERE original.file = id AND original.arrival = file.arrival AND target IS NOT NULL))
                    ORDER BY arrival LIMIT :limit
                    """, arguments: excepted)
            let isSuspectNext = isIdle && files.first.map { $0.attempts > 0 } == true
            let next = isSuspectNext ? files.prefix(1) : files.prefix { $0.attempts == 0 }
            return try next.map { try Self.claim($0, in: database) }
        }
    }

    private static func claim(_ file: FileRecord, in database: Database) throws -> Claim {
        try database.execute(cached: "INSERT INTO attempt (file, started) VALUES (?, ?)", arguments: [file.id, Date()])
        let attempt = database.lastInsertedRowID
        let file = try file.move(.claim, in: database)
        return Claim(
            file: file.id, attempt: attempt, path: file.path, identity: file.identity, arrival: file.arrival,
            attempts: file.attempts)
    }

    /// Returns a claimed file to its place in the queue, as if it had not been claimed.
    ///
    /// - Parameters:
    ///   - claim: from `claim`; it is void afterwards.
    ///   - reason: why it waits, in one line for a person, if that concerns its contents.
    package func release(_ claim: Claim, because reason: String? = nil) async throws {
        try await database.write { database in
            try FileRecord.inProgress(claim, in: database)?.move(.release, because: reason, in: database)
            try Self.endAttempt(of: claim, outcome: "released", reason, in: database)
        }
    }

    /// Releases all claims, uncounted, before exit.
    package func releaseAll() async throws {
        try await database.write { try Self.releaseAll(in: $0) }
    }

    static func releaseAll(in database: Database) throws {
        try FileRecord.inProgress(in: database).move(.release, in: database)
        try database.execute(
            cached: "UPDATE attempt SET finished = ?, outcome = 'released' WHERE finished IS NULL",
            arguments: [Date()])
    }

    /// The most attempts kept per file; older ones are deleted.
    static let attemptsKept = 20

    /// - Parameter detail: one line for a person.
    static func endAttempt(of claim: Claim, outcome: String, _ detail: String? = nil, in database: Database) throws {
        try database.execute(
            cached: "UPDATE attempt SET finished = ?, outcome = ?, detail = ? WHERE id = ? AND finished IS NULL",
            arguments: [Date(), outcome, detail, claim.attempt])
        try database.execute(
            cached: """
                DELETE FROM attempt WHERE file = ? AND id <=
                    (SELECT id FROM attempt WHERE file = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
                """, arguments: [claim.file, claim.file, attemptsKept])
    }
}
