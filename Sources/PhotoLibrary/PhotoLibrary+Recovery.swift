import Foundation
import GRDB

/// A row of `suspect`: a file that crashed a worker or the daemon, or may have.
struct Suspect: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "suspect"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .replace)

    let file: Int64
    /// The row counts only while the file has this number.
    let arrival: Int64
    let crashes: Int
    /// It is claimed when no file that came before this number is waiting.
    let turn: Int64

    private enum CodingKeys: String, CodingKey {
        case file, arrival, turn
        case crashes = "deaths"
    }

    /// How often a file's present contents crashed a worker or the daemon.
    static func crashes(of file: Int64, arrival: Int64, in database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT deaths FROM suspect WHERE file = ? AND arrival = ?", arguments: [file, arrival]) ?? 0
    }

    /// Counts one more. The file's turn comes after all that wait now, and before all that come later.
    static func countCrash(of file: Int64, arrival: Int64, in database: Database) throws {
        let last = try Int64.fetchOne(database, sql: "SELECT MAX(arrival) FROM file") ?? arrival
        try Suspect(
            file: file, arrival: arrival, crashes: try crashes(of: file, arrival: arrival, in: database) + 1, turn: last
        ).insert(database)
    }
}

/// Photos that crash a worker or the daemon, and what the next start does about them.
extension PhotoLibrary {
    /// How often a photo may crash a worker or the daemon before it fails.
    package static let maxCrashes = 3

    /// The reason of a photo that was alone in progress each time.
    package static let crashReason =
        "stickerd stopped unexpectedly \(maxCrashes) times while only this photo was in progress"

    /// Returns a photo that crashed its worker to the queue, behind all that wait now, to be tried alone. If this was
    /// the last time, nothing is changed, and the photo is to fail. The reason is one line for a person.
    ///
    /// - Returns: whether it is tried again.
    package func suspect(_ claim: Claim, because reason: String) async throws -> Bool {
        try await database.write { database in
            guard try Suspect.crashes(of: claim.file, arrival: claim.arrival, in: database) + 1 < Self.maxCrashes else {
                return false
            }
            try FileRecord.inProgress(claim, in: database)?.move(.release, in: database)
            try Suspect.countCrash(of: claim.file, arrival: claim.arrival, in: database)
            try Self.endAttempt(of: claim, outcome: "stopped its worker", reason, in: database)
            return true
        }
    }

    /// Releases the files that were in progress when the last daemon ended, to be tried alone. A file that was in
    /// progress alone goes to the end of the queue; when that has happened `maxCrashes` times, it fails and is returned.
    /// Several files keep their places, uncounted, to find the suspect. After a requested stop all files keep their
    /// places, uncounted: not being finished in time makes no file a suspect.
    ///
    /// - Parameter originals: what becomes of a file that fails.
    package func recover(originals: OriginalsMode = .keep) async throws -> [InboxPath] {
        try await database.write { database in
            if try Self.meta(Self.stopKey, in: database) != nil {
                try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [Self.stopKey])
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
                    let crashes = try Suspect.crashes(of: file.id, arrival: file.arrival, in: database)
                    try Suspect(file: file.id, arrival: file.arrival, crashes: crashes, turn: file.arrival)
                        .insert(database)
                }
                return []
            }
            guard try Suspect.crashes(of: file.id, arrival: file.arrival, in: database) + 1 >= Self.maxCrashes else {
                try file.move(.interrupt, in: database)
                try Suspect.countCrash(of: file.id, arrival: file.arrival, in: database)
                return []
            }
            try file.move(.end(.failed), because: Self.crashReason, in: database)
            try database.execute(sql: "DELETE FROM suspect WHERE file = ?", arguments: [file.id])
            try Self.intend(originals, .failed, reason: Self.crashReason, file: file.id, in: database)
            return [file.path]
        }
    }

    /// Records that the daemon was asked to stop. If it is killed before its photos are finished (systemd does this
    /// after TimeoutStopSec), the next start counts that against none of them.
    package func recordStop() async throws {
        try await database.write { try Self.setMeta(Self.stopKey, "1", in: $0) }
    }

    private static let stopKey = "stopRequested"
}
