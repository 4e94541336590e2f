import Foundation
import GRDB

/// Photos that stopped a worker or the daemon, or may have.
extension PhotoLibrary {
    /// How often a photo may stop its worker, or the daemon, until it is set aside.
    package static let maxDeaths = 3

    /// The claimed photo has stopped its worker. It goes back to the queue, behind all that wait now, to be tried alone;
    /// unless this was the last time, and then nothing is changed: it is to be set aside.
    ///
    /// - Parameter reason: one line for a person.
    /// - Returns: whether it is tried again.
    package func suspect(_ claim: Claim, because reason: String) async throws -> Bool {
        try await database.write { database in
            guard try Self.deaths(of: claim.file, arrival: claim.arrival, in: database) + 1 < Self.maxDeaths else {
                return false
            }
            try database.execute(
                sql: """
                    UPDATE file SET state = 'pending', attempts = attempts - 1, stateSince = ?
                    WHERE id = ? AND arrival = ? AND state = 'processing'
                    """, arguments: [Date(), claim.file, claim.arrival])
            try Self.countDeath(of: claim.file, arrival: claim.arrival, in: database)
            try Self.endAttempt(of: claim, outcome: "stopped its worker", reason, in: database)
            return true
        }
    }

    static func deaths(of file: Int64, arrival: Int64, in database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT deaths FROM suspect WHERE file = ? AND arrival = ?", arguments: [file, arrival]) ?? 0
    }

    /// One more; its turn comes after all that wait now, and before all that come later.
    static func countDeath(of file: Int64, arrival: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO suspect VALUES (?, ?, ?, (SELECT MAX(arrival) FROM file))
                """, arguments: [file, arrival, try deaths(of: file, arrival: arrival, in: database) + 1])
    }

    /// It was in hand with others when the daemon ended: tried alone, at its place in the queue.
    static func suspectInPlace(_ file: Int64, arrival: Int64, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO suspect VALUES (?, ?, ?, ?)",
            arguments: [file, arrival, try deaths(of: file, arrival: arrival, in: database), arrival])
    }
}
