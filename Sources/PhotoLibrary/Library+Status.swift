package import Foundation
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

/// A row of `tally` or `packTally`: how many files are in a state.
private struct Tally: Decodable, FetchableRecord {
    let state: FileState
    let files: Int
}

/// The waiting file that arrived first.
package struct QueueHead: Decodable, FetchableRecord, Equatable, Sendable {
    /// Together with `arrival`, identifies these contents of the file.
    package let id: Int64
    package let arrival: Int64
    /// When it came, was claimed last, or returned to the queue.
    package let stateSince: Date
}

extension Library {
    /// The file that waits or is in progress and arrived first; nil if there is none. Takes constant time.
    package func queueHead() async throws -> QueueHead? {
        try await database.read { database in
            try QueueHead.fetchOne(
                database,
                cached: """
                    SELECT * FROM (SELECT id, arrival, stateSince FROM file WHERE state = 'pending' ORDER BY arrival LIMIT 1)
                    UNION ALL
                    SELECT * FROM (SELECT id, arrival, stateSince FROM file WHERE state = 'processing' ORDER BY arrival LIMIT 1)
                    ORDER BY arrival LIMIT 1
                    """)
        }
    }

    /// The current counts. Takes constant time.
    package func status() async throws -> LibraryStatus {
        try await database.read { try Self.status(in: $0) }
    }

    /// Whether no file is waiting or in progress, as `LibraryStatus.isDrained`, but faster.
    package func isDrained() async throws -> Bool {
        try await database.read { database in
            try Int.fetchOne(
                database, cached: "SELECT 1 FROM tally WHERE state IN ('pending', 'processing') AND files > 0 LIMIT 1")
                == nil
        }
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
        for tally in try Tally.fetchAll(database, cached: "SELECT state, files FROM tally") {
            photos[tally.state] = tally.files
        }
        let stickers = try Int.fetchOne(database, cached: "SELECT stickers FROM stickerTally") ?? 0
        return LibraryStatus(photos: photos, stickers: stickers)
    }
}
