import Foundation
import GRDB

/// A row of `suspect`: a file that may have crashed a worker or the daemon.
struct Suspect: Decodable, FetchableRecord {
    let file: Int64
    /// The suspect is claimed once no file with a lower arrival number is waiting.
    let turn: Int64

    /// How often a file's current contents crashed a worker or the daemon.
    static func crashes(of file: Int64, arrival: Int64, in database: Database) throws -> Int {
        try Int.fetchOne(
            database, cached: "SELECT deaths FROM suspect WHERE file = ? AND arrival = ?", arguments: [file, arrival])
            ?? 0
    }

    /// Makes a file's contents a suspect. If they have crashed alone, that is counted, and their turn comes after all files
    /// that are waiting now, and before all later ones; otherwise they keep their place.
    static func add(_ file: Int64, arrival: Int64, hasCrashed: Bool, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO suspect (file, arrival, deaths, turn) SELECT :file, :arrival,
                    :hasCrashed + coalesce((SELECT deaths FROM suspect WHERE file = :file AND arrival = :arrival), 0),
                    iif(:hasCrashed, coalesce((SELECT MAX(arrival) FROM file), :arrival), :arrival)
                """, arguments: ["file": file, "arrival": arrival, "hasCrashed": hasCrashed])
    }
}

/// Photos that crash a worker or the daemon, and their recovery at the next start.
extension PhotoLibrary {
    /// How often a photo may crash a worker or the daemon before it fails.
    package static let maxCrashes = 3

    /// The reason of a photo that was the only one in progress each time.
    package static let crashReason =
        "stickerd stopped unexpectedly \(maxCrashes) times while only this photo was in progress"

    /// Returns a photo that crashed its worker to the queue, behind all that are waiting now, to be retried alone.
    /// After the last try it changes nothing, and the caller fails the photo. `reason` is one line for a person.
    ///
    /// - Returns: whether the photo is retried.
    package func suspect(_ claim: Claim, because reason: String) async throws -> Bool {
        try await database.write { database in
            guard try Suspect.crashes(of: claim.file, arrival: claim.arrival, in: database) + 1 < Self.maxCrashes else {
                return false
            }
            try FileRecord.inProgress(claim, in: database)?.move(.release, in: database)
            try Suspect.add(claim.file, arrival: claim.arrival, hasCrashed: true, in: database)
            try Self.endAttempt(of: claim, outcome: "stopped its worker", reason, in: database)
            return true
        }
    }

    /// Releases the files that were in progress when the last daemon ended, to be retried alone. A single one goes to the
    /// end of the queue, and fails after `maxCrashes` such ends. Several keep their places, and no crash is counted
    /// until one runs alone. After a requested stop, all keep their places, and none becomes a suspect.
    ///
    /// - Returns: the files that failed.
    package func recover() async throws -> [InboxPath] {
        try await database.write { database in
            if try Self.meta(Self.stopKey, in: database) != nil {
                try Self.setMeta(Self.stopKey, nil, in: database)
                try Self.releaseAll(in: database)
                return []
            }
            let files = try FileRecord.inProgress(in: database)
            try database.execute(
                sql: """
                    UPDATE attempt SET finished = ?, outcome = 'stickerd ended', detail = ? WHERE finished IS NULL
                    """,
                arguments: [
                    Date(), files.count == 1 ? "the only photo in progress" : "one of several photos in progress",
                ])
            guard files.count == 1, let file = files.first else {
                for file in try files.move(.interrupt, in: database) {
                    try Suspect.add(file.id, arrival: file.arrival, hasCrashed: false, in: database)
                }
                return []
            }
            guard try Suspect.crashes(of: file.id, arrival: file.arrival, in: database) + 1 >= Self.maxCrashes else {
                try file.move(.interrupt, in: database)
                try Suspect.add(file.id, arrival: file.arrival, hasCrashed: true, in: database)
                return []
            }
            try database.execute(sql: "DELETE FROM suspect WHERE file = ?", arguments: [file.id])
            try self.fail(file, because: Self.crashReason, in: database)
            return [file.path]
        }
    }

    /// Records that the daemon was asked to stop. If systemd kills it before its photos are finished (TimeoutStopSec),
    /// the next start makes no suspects.
    package func recordStop() async throws {
        try await database.write { try Self.setMeta(Self.stopKey, "1", in: $0) }
    }

    private static let stopKey = "stopRequested"
}
