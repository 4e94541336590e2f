package import Foundation
import GRDB
package import PhotoLibrary
import PhotoRule
package import SystemPackage

/// Everything recorded about one file of the inbox.
package struct PhotoStory: Sendable {
    package struct Attempt: Decodable, FetchableRecord, Sendable {
        package let started: Date
        /// Nil while the file is in progress; so is `outcome`.
        package let finished: Date?
        /// The raw value of the `FileState` it ended in, or what else ended it: "released", "gone", "stopped its
        /// worker", "stickerd ended".
        package let outcome: String?
        /// One line for a person.
        package let detail: String?
    }

    package let file: FileRecord
    /// Nil until the file was read.
    package let photo: PhotoRecord?
    /// How often a worker or the daemon crashed while it was in progress.
    package let crashes: Int
    /// The latest attempts, oldest first.
    package let attempts: [Attempt]
    /// The photo's stickers in this pack, by ordinal, and whether each is published.
    package let stickers: [(sticker: StickerRecord, isPublished: Bool)]
    /// Those that a user removed, by the names that they had; of a photo without one, that of its entry.
    package let removed: [(file: String, since: Date)]
    /// The file that the stickers were made from, if it is another one.
    package let source: String?
    /// Other files with the same photo, in any pack; not all if there are many.
    package let otherFiles: [FileRecord]
    /// What is to happen to the file, or has happened.
    package let original: Original?

    /// The most files in `otherFiles`.
    private static let maxOtherFiles = 20
}

extension PhotoStory {
    /// Reads the story from the Library of a daemon that may be running.
    ///
    /// - Parameter name: as for `FileRecord.named`.
    /// - Returns: nil if no such file has come in.
    /// - Throws: `LibraryError` if there is no Library that can be read.
    package static func read(of name: String, in folder: FilePath) throws -> PhotoStory? {
        try Library.reading(in: folder) { database in
            try FileRecord.named(name, in: database).map { try PhotoStory(of: $0, in: database) }
        }
    }

    /// Reads the story of the photo that a sticker was made from, even if a user has removed the sticker.
    ///
    /// - Parameters:
    ///   - sticker: its file name.
    ///   - pack: the pack's folder, relative to the outbox; nil for the first pack that has such a sticker.
    ///   - folder: the state folder.
    /// - Returns: nil if there is no such sticker, or the Library has forgotten its photo's files.
    /// - Throws: as above.
    package static func read(
        ofSticker sticker: String, inFolder pack: String?, in folder: FilePath
    ) throws -> PhotoStory? {
        try Library.reading(in: folder) { database in
            guard let row = try row(ofSticker: sticker, inFolder: pack, in: database) else { return nil }
            let photo: String = row["photo"]
            let source = try FileRecord.fetchOne(
                database, sql: "SELECT * FROM file WHERE id = ? AND photo = ?", arguments: [row["source"], photo])
            // A file that the settings came to ignore has no photo any more.
            let file =
                try source
                ?? FileRecord.fetchOne(
                    database, sql: "SELECT * FROM file WHERE photo = ? ORDER BY arrival LIMIT 1", arguments: [photo])
                ?? FileRecord.fetchOne(
                    database, sql: "SELECT * FROM file WHERE id = ? AND state = 'ignored'", arguments: [row["source"]])
            return try file.map { try PhotoStory(of: $0, in: database) }
        }
    }

    /// Whether there is such a sticker, also if the Library has forgotten its photo's files.
    package static func knows(sticker: String, inFolder pack: String?, in folder: FilePath) throws -> Bool {
        try Library.reading(in: folder) { try row(ofSticker: sticker, inFolder: pack, in: $0) != nil }
    }

    private static func row(ofSticker sticker: String, inFolder pack: String?, in database: Database) throws -> Row? {
        try Row.fetchOne(
            database,
            sql: """
                WITH packs AS (SELECT name FROM pack WHERE :folder IS NULL OR folder = :folder)
                SELECT photo, source FROM sticker WHERE pack IN packs AND file = :file
                UNION ALL SELECT photo, NULL FROM removed WHERE pack IN packs AND file = :file
                """, arguments: ["folder": pack, "file": sticker])
    }

    private init(of file: FileRecord, in database: Database) throws {
        self.file = file
        photo = try PhotoRecord.fetchOne(database, sql: "SELECT * FROM photo WHERE sha256 = ?", arguments: [file.photo])
        crashes = file.attempts - (file.state == .processing ? 1 : 0)
        attempts = try Attempt.fetchAll(
            database, sql: "SELECT * FROM attempt WHERE file = ? ORDER BY id", arguments: [file.id])
        let ofPhoto = "SELECT * FROM sticker WHERE photo = ? AND pack = ? ORDER BY ordinal"
        let ofFile = "SELECT * FROM sticker WHERE source = ? AND pack = ? ORDER BY ordinal"
        let stickers =
            file.state == .ignored
            ? try Row.fetchAll(database, sql: ofFile, arguments: [file.id, file.pack])
            : try Row.fetchAll(database, sql: ofPhoto, arguments: [file.photo, file.pack])
        self.stickers = try stickers.map { (try StickerRecord(row: $0), $0["published"]) }
        removed = try Row.fetchAll(
            database, sql: "SELECT file, since FROM removed WHERE photo = ? AND pack = ? ORDER BY ordinal",
            arguments: [file.photo, file.pack]
        ).map { ($0["file"], $0["since"]) }
        source = try stickers.first.flatMap { sticker in
            try String.fetchOne(
                database, sql: "SELECT path FROM file WHERE id = ? AND id <> ?",
                arguments: [sticker["source"] as Int64, file.id])
        }
        otherFiles = try FileRecord.fetchAll(
            database, sql: "SELECT * FROM file WHERE photo = ? AND id <> ? ORDER BY arrival LIMIT ?",
            arguments: [file.photo, file.id, Self.maxOtherFiles])
        original = try Original.of(file, in: database)
    }
}
