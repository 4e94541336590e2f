package import Foundation
import GRDB
import LinuxIO
package import SystemPackage

/// Everything that is known of one file of the inbox.
package struct PhotoStory: Sendable {
    package struct Attempt: Sendable {
        package let started: Date
        /// Nil while the file is in hand; so is `outcome`.
        package let finished: Date?
        /// The raw value of the `FileState` it ended in, or what else ended it, in a few words: "released", "gone",
        /// "stopped its worker", "ended with stickerd".
        package let outcome: String?
        /// One line for a person.
        package let detail: String?
    }

    package struct Twin: Sendable {
        /// Escaped.
        package let path: String
        /// `FileState`'s raw value.
        package let state: String
    }

    /// What the inbox calls it, escaped.
    package let path: String
    package let state: FileState
    /// One line for a person; nil where the state says it all.
    package let reason: String?
    /// When the file, as it is, came in.
    package let seen: Date?
    /// When it got into `state`.
    package let since: Date
    /// The file's length, as it was recorded last.
    package let bytes: Int64
    /// SHA-256 of the photo, lowercase hexadecimal; nil until it was read.
    package let photo: String?
    /// When the photo came in for the first time, under any name; nil until it was read.
    package let photoFirstSeen: Date?
    /// Of the photo, nil until it was worked on: `PhotoFormat`'s raw value, and its upright size in pixels.
    package let format: String?
    package let width: Int?
    package let height: Int?
    /// How often it stopped a worker, or the daemon.
    package let deaths: Int
    /// The latest ones, the oldest of them first.
    package let attempts: [Attempt]
    /// In its pack, in their order; the second part says whether it is in the outbox.
    package let stickers: [(sticker: StickerRecord, isPublished: Bool)]
    /// The file that the stickers were made from, where it is another one.
    package let source: String?
    /// Other files with the same photo, in any pack; not all where there are many.
    package let twins: [Twin]
    /// What is to become of the file, or has; `outcome` and the time `moved` are nil until it has.
    package let original: Original?
    package let outcome: Original.Outcome?
    package let moved: Date?

    /// Twins that are told.
    private static let maxTwins = 20
}

extension PhotoStory {
    /// Reads the story from the Library of a daemon that may be running.
    ///
    /// - Parameter name: the path in the inbox, escaped.
    /// - Returns: nil where no such file has come in.
    /// - Throws: `LibraryError` where there is no Library that can be read.
    package static func read(of name: String, in folder: FilePath) throws -> PhotoStory? {
        try PhotoLibrary.reading(in: folder) { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT file.*, photo.format, photo.width, photo.height, firstSeen, deaths FROM file
                    LEFT JOIN photo ON sha256 = file.photo
                    LEFT JOIN suspect ON suspect.file = id AND suspect.arrival = file.arrival WHERE path = ?
                    """, arguments: [name])
            return try row.map { try PhotoStory(row: $0, in: database) }
        }
    }

    private init(row: Row, in database: Database) throws {
        let file: Int64 = row["id"]
        path = row["path"]
        state = FileState(rawValue: row["state"]) ?? .failed
        reason = row["reason"]
        seen = row["seen"]
        since = row["stateSince"]
        bytes = row["size"]
        photo = row["photo"]
        photoFirstSeen = row["firstSeen"]
        format = row["format"]
        width = row["width"]
        height = row["height"]
        deaths = row["deaths"] ?? 0
        attempts = try Row.fetchAll(
            database, sql: "SELECT * FROM attempt WHERE file = ? ORDER BY id", arguments: [file]
        ).map {
            Attempt(started: $0["started"], finished: $0["finished"], outcome: $0["outcome"], detail: $0["detail"])
        }
        let stickers = try Row.fetchAll(
            database, sql: "SELECT * FROM sticker WHERE photo = ? AND pack = ? ORDER BY ordinal",
            arguments: [photo, row["pack"] as String])
        self.stickers = stickers.map { (StickerRecord(row: $0), $0["published"]) }
        source = try stickers.first.flatMap { sticker in
            try String.fetchOne(
                database, sql: "SELECT path FROM file WHERE id = ? AND id <> ?",
                arguments: [sticker["source"] as Int64, file])
        }
        twins = try Row.fetchAll(
            database, sql: "SELECT path, state FROM file WHERE photo = ? AND id <> ? ORDER BY arrival LIMIT ?",
            arguments: [photo, file, Self.maxTwins]
        ).map { Twin(path: $0["path"], state: $0["state"]) }
        let original = try Row.fetchOne(
            database, sql: "SELECT * FROM original WHERE file = ? AND arrival = ?",
            arguments: [file, row["arrival"] as Int64])
        self.original = original.flatMap(Original.init(row:))
        outcome = (original?["outcome"] as String?).flatMap { Original.Outcome(rawValue: $0) }
        moved = original?["finished"]
    }
}

extension PhotoLibrary {
    /// Reads from the Library of a daemon that may be running.
    static func reading<Value>(in folder: FilePath, _ work: (Database) throws -> Value) throws -> Value {
        let path = folder.appending(fileName)
        guard OwnedDescriptor.exists(path) else { throw LibraryError.missing(folder) }
        do {
            let database = try DatabaseQueue(path: path.string, configuration: configuration(readonly: true))
            return try database.read(work)
        } catch let error as DatabaseError {
            throw LibraryError.unreadable(folder, error)
        }
    }
}
