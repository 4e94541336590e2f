import Foundation
import GRDB

/// What was tried with each file, and how it went.
extension PhotoLibrary {
    /// Attempts that are remembered of one file, the last ones.
    static let attemptsKept = 20

    static func beginAttempt(of file: Int64, in database: Database) throws {
        try database.execute(sql: "INSERT INTO attempt (file, started) VALUES (?, ?)", arguments: [file, Date()])
    }

    /// - Parameter detail: one line for a person.
    static func endAttempt(
        of claim: Claim, outcome: String, _ detail: String? = nil, in database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE attempt SET finished = ?, outcome = ?, detail = ? WHERE file = ? AND finished IS NULL",
            arguments: [Date(), outcome, detail, claim.file])
        try database.execute(
            sql: """
                DELETE FROM attempt WHERE file = ? AND id <=
                    (SELECT id FROM attempt WHERE file = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
                """, arguments: [claim.file, claim.file, attemptsKept])
    }
}
