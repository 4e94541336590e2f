package import GRDB
import Glibc
import SQLiteDatabase
package import SystemPackage

/// Access from other processes than the daemon.
extension Library {
    /// Reads from the Library of a daemon that may be running.
    ///
    /// - Throws: `LibraryError` if there is none that can be read.
    package static func reading<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        let file = try LibraryFolder.file(in: folder)
        do {
            let database = try DatabaseFile(file).openForReading()
            return try database.read { database in
                _ = try Schema.hasTables(database, in: folder)
                return try work(database)
            }
        } catch {
            throw LibraryError.explaining(error, of: folder)
        }
    }

    /// One transaction on the Library of a daemon that may be running. The photos that it touches are decided in it.
    ///
    /// - Throws: `LibraryError` if there is none that can be written.
    package static func writing<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        try connecting(to: folder) { queue in
            try queue.write { database in
                let value = try work(database)
                try decideTouched(in: database)
                return value
            }
        }
    }

    /// A connection to such a Library that may write.
    package static func connecting<Value>(to folder: FilePath, _ work: (DatabaseQueue) throws -> Value) throws -> Value
    {
        let file = try LibraryFolder.file(in: folder, R_OK | W_OK)
        do {
            return try work(try connect(to: file.removingLastComponent()))
        } catch {
            throw LibraryError.explaining(error, of: folder)
        }
    }

    /// The key in `meta` of a request to compare all files with the Library.
    package static let recheckKey = "recheck"

    /// Learns what other processes have changed, and whether one has asked for a comparison of all files since the last
    /// call.
    package func takeRecheck() async throws -> Bool {
        try await database.write { database in
            try database.execute(cached: "DELETE FROM meta WHERE key = ?", arguments: [Self.recheckKey])
            return database.changesCount > 0
        }
    }

    /// Whether the state folder `folder` has a Library, readable or not.
    package static func exists(in folder: FilePath) -> Bool {
        !LibraryFolder.isMissing(LibraryFolder.path(in: folder).appending(fileName))
    }
}
