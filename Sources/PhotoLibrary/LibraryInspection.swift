import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// A snapshot of a Library's contents, whether or not the daemon is running. Read-only.
package struct LibraryInspection: Sendable {
    package struct Pack: Sendable {
        /// The pack's name in the Library: '' for the root pack.
        package let name: String
        /// Relative to the outbox; '' for the root pack.
        package let folder: String
        /// In index order.
        package var published: [StickerRecord] = []
        /// Files that are not in the index but may be in the folder: withdrawn stickers, and names reserved for new
        /// ones.
        package var others: Set<ExactName> = []
        /// The derived files in its folder, except those to be removed.
        package var files: [LedgerEntry] = []
    }

    package struct File: Sendable {
        /// As last recorded.
        package let identity: FileIdentity
        package let state: FileState
        /// Whether it was moved or removed after work on it ended, by stickerd or by others.
        package let isElsewhere: Bool
        /// Whether it is to be moved or removed, which may have happened already.
        package let isLeaving: Bool
    }

    /// Ordered by name.
    package let packs: [Pack]
    /// In every state, including those of files that have left the inbox.
    package let files: [InboxPath: File]
    /// Files that are `done` but have no published sticker, although no user removed it.
    package let withoutSticker: [InboxPath]
    package let outbox: KnownOutbox
    /// Whether a daemon is running.
    package let isRunning: Bool

    /// - Throws: `LibraryError` if there is no Library that can be read, or if SQLite's `integrity_check` finds damage.
    package init(of folder: FilePath) throws {
        self = try PhotoLibrary.reading(in: folder) { database in
            let isRunning = try PhotoLibrary.isRunning(in: folder)
            return try LibraryInspection(database, isRunning: isRunning)
        }
    }

    private init(_ database: Database, isRunning: Bool) throws {
        try PhotoLibrary.requireSoundness(of: database, by: "integrity_check(1)")
        // A WAL that was deleted may have had all that there was.
        guard try database.tableExists("meta") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its tables are missing")
        }
        outbox = try KnownOutbox(in: database)
        self.isRunning = isRunning
        var packs: [ExactName: Pack] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT name, folder FROM pack") {
            packs[ExactName(row["name"])] = Pack(name: row["name"], folder: row["folder"])
        }
        let stickers = try Row.fetchCursor(database, sql: "SELECT * FROM sticker ORDER BY pack, arrival, ordinal")
        while let row = try stickers.next() {
            if row["published"] {
                packs[ExactName(row["pack"])]?.published.append(try StickerRecord(row: row))
            } else {
                packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
            }
        }
        for row in try Row.fetchAll(database, sql: "SELECT pack, file FROM withdrawn") {
            packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
        }
        let ledger = try Row.fetchCursor(database, sql: "SELECT * FROM ledger ORDER BY pack, file")
        while let row = try ledger.next() {
            if row["unwanted"] {
                packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
            } else {
                packs[ExactName(row["pack"])]?.files.append(LedgerEntry(row: row))
            }
        }
        self.packs = packs.sorted { $0.key < $1.key }.map(\.value)
        var files: [InboxPath: File] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT file.*, decided IS NOT NULL AS leaving FROM file
                LEFT JOIN original ON original.file = id AND original.arrival = file.arrival
                """)
        while let row = try rows.next() {
            let file = try FileRecord(row: row)
            files[file.path] = File(
                identity: file.identity, state: file.state, isElsewhere: !file.isInInbox, isLeaving: row["leaving"])
        }
        self.files = files
        withoutSticker = try InboxPath.fetchAll(
            database,
            sql: """
                SELECT path FROM file WHERE state = 'done' AND NOT EXISTS (
                    SELECT 1 FROM sticker WHERE published AND photo = file.photo AND pack = file.pack)
                AND NOT EXISTS (SELECT 1 FROM removed WHERE photo = file.photo AND pack = file.pack)
                AND presence IN ('here', 'archived', 'setAside')
                """)
    }
}
