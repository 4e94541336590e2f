package import Foundation
import GRDB
import PhotoLibrary
import PhotoRule
package import SystemPackage

/// What a Library has that may show a fault: the last failures, and times.
package struct LibraryHealth: Sendable {
    /// A photo that failed; the path is escaped.
    package struct Failure: FetchableRecord, Decodable, Sendable {
        package let path: String
        package let reason: String?
        package let stateSince: Date
    }

    package let failed: Int
    /// The newest first, at most `maxFailures`.
    package let failures: [Failure]
    /// The latest time of the last files and attempts; nil if there are none.
    package private(set) var latest: Date?
    /// Of the last files, the one that was modified last, by its own time.
    package private(set) var newestFile: (path: String, modified: Date)?

    package static let maxFailures = 3
    /// How many files and attempts are read, so that the cost does not depend on the size of the Library.
    private static let maxRows = 1000
}

extension LibraryHealth {
    /// - Throws: `LibraryError` if there is no Library in the state folder, or none that this user may read.
    package init(of state: FilePath) throws {
        self = try Library.reading(in: state) { database in
            let newest = try Row.fetchOne(
                database,
                sql: """
                    SELECT path, modified FROM (SELECT path, modified FROM file ORDER BY arrival DESC LIMIT ?)
                    ORDER BY modified DESC LIMIT 1
                    """, arguments: [Self.maxRows])
            return LibraryHealth(
                failed: try Library.status(in: database).photos[.failed, default: 0],
                failures: try Failure.fetchAll(
                    database,
                    sql: """
                        SELECT coalesce(iif(superseded, target, NULL), file.path) AS path, file.reason, stateSince
                        FROM file LEFT JOIN original ON original.file = id AND original.arrival = file.arrival
                        WHERE state = 'failed' ORDER BY stateSince DESC LIMIT ?
                        """, arguments: [Self.maxFailures]),
                latest: try Date.fetchOne(
                    database,
                    sql: """
                        SELECT MAX(time) FROM (
                            SELECT * FROM (SELECT stateSince AS time FROM file ORDER BY arrival DESC LIMIT ?1)
                            UNION ALL SELECT * FROM (SELECT started FROM attempt ORDER BY id DESC LIMIT ?1))
                        """, arguments: [Self.maxRows]),
                newestFile: newest.map { row in
                    let nanoseconds: Int64 = row["modified"]
                    return (row["path"], Date(timeIntervalSince1970: Double(nanoseconds) / 1e9))
                })
        }
    }
}
