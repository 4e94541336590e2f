package import GRDB
import SQLiteDatabase

/// Finds files.
extension FileRecord {
    /// A claimed file that is still in progress, with the same contents.
    static func inProgress(_ claim: Claim, in database: Database) throws -> FileRecord? {
        try fetchOne(
            database, cached: "SELECT * FROM file WHERE id = ? AND arrival = ? AND state = 'processing'",
            arguments: [claim.file, claim.arrival])
    }

    /// A claimed file with the same contents, whatever its state.
    static func of(_ claim: Claim, in database: Database) throws -> FileRecord? {
        try of(claim.file, arrival: claim.arrival, in: database)
    }

    static func of(_ file: Int64, arrival: Int64, in database: Database) throws -> FileRecord? {
        try fetchOne(database, cached: "SELECT * FROM file WHERE id = ? AND arrival = ?", arguments: [file, arrival])
    }

    /// All files in progress, in order of arrival.
    static func inProgress(in database: Database) throws -> [FileRecord] {
        try fetchAll(database, sql: "SELECT * FROM file WHERE state = 'processing' ORDER BY arrival")
    }

    /// The file that has a path now, or had it last.
    ///
    /// - Parameter path: an `InboxPath`, or one that is escaped.
    package static func at(_ path: some DatabaseValueConvertible, in database: Database) throws -> FileRecord? {
        try fetchOne(database, cached: "SELECT * FROM file WHERE path = ? AND NOT superseded", arguments: [path])
    }

    /// - Parameter name: an escaped path in the inbox, or the absolute one of where stickerd has moved the file.
    package static func named(_ name: String, in database: Database) throws -> FileRecord? {
        guard name.hasPrefix("/") else { return try at(name, in: database) }
        return try fetchOne(
            database,
            sql: """
                SELECT file.* FROM original JOIN file ON file.id = original.file AND file.arrival = original.arrival
                WHERE target = ? AND outcome = 'moved' ORDER BY original.arrival DESC LIMIT 1
                """, arguments: [name])
    }

    /// Whether stickerd has moved earlier contents of the file to the folder of failed photos.
    func wasSetAside(in database: Database) throws -> Bool {
        try database.hasRow(
            cached: "SELECT 1 FROM original WHERE file = ? AND action = 'setAside' AND outcome = 'moved'",
            arguments: [id])
    }
}
