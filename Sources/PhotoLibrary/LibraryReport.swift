import FileNames
import GRDB
import LinuxIO
import SQLiteDatabase
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
        /// In the inbox, escaped.
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
        self = try PhotoLibrary.reading(in: folder) { database in
            try LibraryReport(database, isRunning: PhotoLibrary.isRunning(in: folder))
        }
    }

    private init(_ database: Database, isRunning: Bool) throws {
        status = try PhotoLibrary.status(isRunning: isRunning, in: database)
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
            database, sql: "SELECT path, reason FROM file WHERE state = 'failed' ORDER BY pack, arrival LIMIT ?",
            arguments: [Self.maxFailures])
        outdated = try PhotoLibrary.outdatedStickers(in: database)
        withheld = try PhotoLibrary.withheldExports(in: database)
    }

    private static let packNames = """
        SELECT pack AS name FROM packTally WHERE files > 0 AND state <> 'ignored'
        UNION SELECT pack FROM packStickers WHERE stickers > 0
        """
}

/// The folders and the settings file of a Library's daemon.
package struct LibraryPlaces: Sendable, Equatable {
    /// Nil until an inbox was read.
    package let inbox: FilePath?
    /// With symbolic links resolved.
    package let outbox: FilePath?
    /// Nil if the last start had none.
    package let settingsFile: FilePath?

    init(_ database: Database) throws {
        func path(_ text: String?) -> FilePath? {
            text.flatMap { InboxPath(escaped: $0) }.map { FilePath(bytes: $0.bytes) }
        }
        inbox = path(try String.fetchOne(database, sql: "SELECT path FROM inboxPlace"))
        outbox = try PhotoLibrary.meta("outbox", in: database).map { FilePath($0) }
        settingsFile = path(try PhotoLibrary.meta(PhotoLibrary.settingsFileKey, in: database))
    }

    /// Reads those of the Library in `folder`; nil if there is none that can be read.
    package init?(of folder: FilePath) {
        guard let places = try? PhotoLibrary.reading(in: folder, { try LibraryPlaces($0) }) else { return nil }
        self = places
    }
}

extension PhotoLibrary {
    static let settingsFileKey = "settingsFile"
    static let recipeKey = "recipe"

    /// Records which settings file the daemon has read, for commands that get only the state folder; nil for none.
    package func recordSettingsFile(_ path: FilePath?) async throws {
        let text = path.map { InboxPath(bytes: $0.bytes).description }
        try await database.write { try Self.setMeta(Self.settingsFileKey, text, in: $0) }
    }

    /// How many published stickers were made with another recipe than the one last remembered.
    package func outdatedStickers() async throws -> Int {
        try await database.read { try Self.outdatedStickers(in: $0) }
    }

    static func outdatedStickers(in database: Database) throws -> Int {
        guard let recipe = try meta(recipeKey, in: database) else { return 0 }
        // There are few recipes, and each is looked up in the index.
        return try Int.fetchOne(
            database,
            sql: """
                SELECT COUNT(*) FROM sticker INDEXED BY stickerByRecipe
                WHERE published AND recipe IN (SELECT id FROM recipe WHERE id <> ?)
                """, arguments: [recipe]) ?? 0
    }

    /// Whether the state folder `folder` has a Library, readable or not.
    package static func exists(in folder: FilePath) -> Bool {
        !LibraryFolder.isMissing(LibraryFolder.path(in: folder).appending(fileName))
    }
}
