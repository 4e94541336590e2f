import GRDB
package import PackLedger
package import PhotoLibrary
package import SystemPackage

/// What `stickerd status` shows of a Library, read in one transaction, whether or not a daemon is running.
package struct LibraryReport: Sendable {
    /// A pack with stickers or files.
    package struct Pack: Codable, FetchableRecord, Sendable {
        /// '' for the root pack.
        package let name: String
        package let stickers: Int
        /// Pending or in progress.
        package let pending: Int
        package let failed: Int
    }

    /// A photo that failed.
    package struct Failure: Codable, FetchableRecord, Sendable {
        /// In the inbox, escaped; where it was moved, absolute, if another file has had its name.
        package let path: String
        /// One line for a person.
        package let reason: String?
    }

    package let status: LibraryStatus
    package let places: LibraryPlaces
    /// In the order of their names; at most `maxPacks`.
    package let packs: [Pack]
    package let packCount: Int
    /// Pack by pack, in order of arrival; at most `maxFailures`.
    package let failures: [Failure]
    /// How many stickers were made with other settings or weights than the daemon's.
    package let outdated: Int
    package let withheld: [WithheldExport]

    package static let maxPacks = 100
    package static let maxFailures = 20

    /// - Throws: `LibraryError` with `.missing` if there is no Library, `.unreadable` if it cannot be read.
    package init(of folder: FilePath) throws {
        self = try Library.reading(in: folder) { try LibraryReport($0) }
    }

    private init(_ database: Database) throws {
        status = try Library.status(in: database)
        places = try LibraryPlaces(database)
        packs = try Pack.fetchAll(
            database,
            sql: """
                SELECT name, COALESCE((SELECT stickers FROM packStickers WHERE pack = name), 0) AS stickers,
                    (SELECT COALESCE(SUM(files), 0) FROM packTally
                        WHERE pack = name AND state IN ('pending', 'processing')) AS pending,
                    (SELECT COALESCE(SUM(files), 0) FROM packTally WHERE pack = name AND state = 'failed') AS failed
                FROM (\(Self.packNames)) ORDER BY name LIMIT ?
                """, arguments: [Self.maxPacks])
        packCount = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(Self.packNames))") ?? 0
        failures = try Failure.fetchAll(
            database,
            sql: """
                SELECT coalesce(iif(superseded, target, NULL), file.path) AS path, file.reason
                FROM file LEFT JOIN original ON original.file = id AND original.arrival = file.arrival
                WHERE state = 'failed' ORDER BY pack, file.arrival LIMIT ?
                """, arguments: [Self.maxFailures])
        outdated = try Library.outdatedStickers(in: database)
        withheld = try Library.withheldExports(in: database)
    }

    private static let packNames = """
        SELECT pack AS name FROM packTally WHERE files > 0 AND state <> 'ignored'
        UNION SELECT pack FROM packStickers WHERE stickers > 0
        """
}
