import GRDB
import SystemPackage

/// The tables: `Schema.sql`.
enum Schema {
    /// `PRAGMA user_version` of a Library with these tables. A change of the tables gets the next number. There are no
    /// migrations: everything that users see of a Library is in its outbox, from which a new one is made.
    private static let version = 7

    /// Makes the tables of a new Library.
    ///
    /// - Throws: as `hasTables`.
    static func prepare(_ database: DatabaseQueue, in folder: FilePath) throws {
        if try database.read({ try hasTables($0, in: folder) }) { return }
        try database.write { database in
            try database.execute(sql: String(decoding: PackageResources.Schema_sql, as: UTF8.self))
            try database.execute(sql: "PRAGMA user_version = \(version)")
            // A Library without tables is the first one of its outbox, or has lost what the outbox still shows.
            try Library.setMeta(Library.rebuildKey, "1", in: database)
        }
    }

    /// Whether these are the tables of this release; false if there are none.
    ///
    /// - Throws: `LibraryError` with the code `older` or `newer` if another release wrote the Library.
    static func hasTables(_ database: Database, in folder: FilePath) throws -> Bool {
        guard try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1") != nil else { return false }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if version < Self.version {
            throw LibraryError(
                .older, "\(folder): this Library was written by an older stickerd",
                fix: "restart stickerd, which rebuilds it from the outbox")
        }
        if version > Self.version {
            throw LibraryError(
                .newer, "\(folder): this Library was written by a newer stickerd; install that release again")
        }
        return true
    }
}
