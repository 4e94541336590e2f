import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// A look at everything a Library says, at one moment, with the daemon running or not.
package struct LibraryInspection: Sendable {
    package struct Pack: Sendable {
        /// In the Library: '' for the root's.
        package let name: String
        /// Relative to the outbox; '' for the root's.
        package let folder: String
        /// In the order of the pack.
        package var published: [StickerRecord] = []
        /// Names that are not, or no longer, in the index, and may be in the folder all the same; relative to it.
        package var others: Set<ExactName> = []
    }

    package struct File: Sendable {
        /// As it was recorded last; on the device `PhotoLibrary.elsewhere` where it left the inbox, or lay in
        /// another one.
        package let identity: FileIdentity
        package let state: FileState
        /// It was moved or removed once it was done, here or by somebody else.
        package let isElsewhere: Bool
        /// That is written down, and may be done already.
        package let isLeaving: Bool
    }

    /// What SQLite says is wrong with its file.
    package let damage: [String]
    /// Ordered by name.
    package let packs: [Pack]
    /// In whatever state, those that have left the inbox included.
    package let files: [InboxPath: File]
    /// Done, but without a sticker.
    package let withoutSticker: [InboxPath]
    /// Where the outbox was when it was last used; nil before the first time.
    package let outboxPlace: FolderPlace?
    /// The stickers that should be in it, the latest.
    package let latestPublished: [PhotoLibrary.PublishedFile]
    /// A daemon is running.
    package let isRunning: Bool

    /// - Parameter latest: how many stickers `latestPublished` has at most.
    /// - Throws: `LibraryError` where there is no Library that can be read.
    package init(of folder: FilePath, latest: Int) throws {
        self = try PhotoLibrary.reading(in: folder) { database in
            let isRunning = FileLock.isHeld(at: folder.appending(PhotoLibrary.lockName))
            return try LibraryInspection(database, latest: latest, isRunning: isRunning)
        }
    }

    private init(_ database: Database, latest: Int, isRunning: Bool) throws {
        outboxPlace = try PhotoLibrary.outboxPlace(in: database)
        latestPublished = try PhotoLibrary.latestPublished(limit: latest, in: database)
        self.isRunning = isRunning
        damage = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        var packs: [ExactName: Pack] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT name, folder FROM pack") {
            packs[ExactName(row["name"])] = Pack(name: row["name"], folder: row["folder"])
        }
        let stickers = try Row.fetchCursor(database, sql: "SELECT * FROM sticker ORDER BY pack, arrival, ordinal")
        while let row = try stickers.next() {
            if row["published"] {
                packs[ExactName(row["pack"])]?.published.append(StickerRecord(row: row))
            } else {
                packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
            }
        }
        for row in try Row.fetchAll(database, sql: "SELECT pack, file FROM withdrawn") {
            packs[ExactName(row["pack"])]?.others.insert(ExactName(row["file"]))
        }
        self.packs = packs.sorted { $0.key < $1.key }.map(\.value)
        var files: [InboxPath: File] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT file.*, decided IS NOT NULL AS leaving, finished IS NOT NULL
                    OR file.device = ? AND state IN ('done', 'duplicate', 'noSubject') AS elsewhere FROM file
                LEFT JOIN original ON original.file = id AND original.arrival = file.arrival
                """, arguments: [Int64(bitPattern: PhotoLibrary.elsewhere)])
        while let row = try rows.next() {
            guard let path = InboxPath(escaped: row["path"]), let state = FileState(rawValue: row["state"]) else {
                continue
            }
            files[path] = File(
                identity: PhotoLibrary.identity(row), state: state, isElsewhere: row["elsewhere"],
                isLeaving: row["leaving"])
        }
        self.files = files
        withoutSticker = try String.fetchAll(
            database,
            sql: """
                SELECT path FROM file WHERE state = 'done' AND NOT EXISTS (
                    SELECT 1 FROM sticker WHERE published AND photo = file.photo AND pack = file.pack)
                """
        ).compactMap { InboxPath(escaped: $0) }
    }
}

extension PhotoLibrary {
    /// Takes stickers that are not what they should be out of the packs, and puts the photos of these and of those files
    /// that have none back into the queue, with the daemon running or not.
    ///
    /// - Returns: the process to wake, where a daemon is running.
    /// - Throws: `LibraryError` where there is no Library that can be written.
    package static func requestRepair(
        in folder: FilePath, stickers: [StickerRecord], files: [InboxPath]
    ) throws -> ProcessIdentity? {
        try writing(in: folder) { database in
            for sticker in stickers {
                _ = try remake(sticker.file, inPack: sticker.pack, in: database)
            }
            for path in files {
                try database.execute(
                    sql:
                        "UPDATE file SET state = 'pending', attempts = 0, stateSince = ? WHERE path = ? AND state = 'done'",
                    arguments: [Date(), path.description])
            }
            return try daemon(of: folder, in: database)
        }
    }
}
