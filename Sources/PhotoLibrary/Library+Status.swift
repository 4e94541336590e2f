package import GRDB
package import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// How many files are in each state, and how many stickers there are.
package struct LibraryStatus: Sendable, Equatable {
    /// Every state, zeros included.
    package let photos: [FileState: Int]
    /// Published stickers of all packs.
    package let stickers: Int

    /// Whether no file is waiting or in progress.
    package var isDrained: Bool {
        photos[.pending, default: 0] + photos[.processing, default: 0] == 0
    }
}

extension Library {
    /// The file that waits or is in progress and arrived first; nil if there is none. Takes constant time.
    package func queueHead() async throws -> FileRecord? {
        try await database.read { database in
            try FileRecord.fetchOne(
                database,
                cached: """
                    SELECT * FROM (SELECT * FROM file WHERE state = 'pending' ORDER BY arrival LIMIT 1)
                    UNION ALL
                    SELECT * FROM (SELECT * FROM file WHERE state = 'processing' ORDER BY arrival LIMIT 1)
                    ORDER BY arrival LIMIT 1
                    """)
        }
    }

    /// The current counts. Takes constant time.
    package func status() async throws -> LibraryStatus {
        try await database.read { try Self.status(in: $0) }
    }

    /// The counts on disk, whether or not a daemon is running on the state folder.
    ///
    /// - Throws: `LibraryError` with `.missing` if there is no Library, `.unreadable` if it cannot be read.
    package static func status(in folder: FilePath) throws -> LibraryStatus {
        try reading(in: folder) { try Self.status(in: $0) }
    }

    /// The same in a transaction.
    package static func status(in database: Database) throws -> LibraryStatus {
        var photos = Dictionary(uniqueKeysWithValues: FileState.allCases.map { ($0, 0) })
        for row in try Row.fetchAll(database, cached: "SELECT state, files FROM tally") {
            photos[row[0]] = row[1] as Int
        }
        let stickers = try Int.fetchOne(database, cached: "SELECT stickers FROM stickerTally") ?? 0
        return LibraryStatus(photos: photos, stickers: stickers)
    }
}
