import Foundation
import GRDB
import LinuxIO
package import PhotoColors
import SystemPackage

/// A Library that SQLite cannot make sense of.
extension PhotoLibrary {
    /// Opens the Library, or puts a damaged one aside and makes a new one. Where the last process did not end well, the
    /// whole file is looked at first, which takes a second for a million photos.
    static func openOrReplace(
        in folder: FilePath, _ progress: @escaping @Sendable () -> Void
    ) throws -> (DatabaseQueue, setAside: FilePath?) {
        do {
            return (try open(in: folder, progress), nil)
        } catch let error as DatabaseError where error.isDamage {
            try requireReadable(in: folder)
        }
        do {
            return (try open(in: folder, progress), nil)
        } catch let error as DatabaseError where error.isDamage {
            let aside = folder.appending("library.damaged-\(Date.now.formatted(fileTime)).sqlite")
            try putAside(folder.appending(fileName), as: aside)
            let queue = try open(in: folder, progress)
            try queue.write { try setMeta("rebuild", "1", in: $0) }
            return (queue, aside)
        }
    }

    private static let fileTime = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)

    private static func open(
        in folder: FilePath, _ progress: @escaping @Sendable () -> Void
    ) throws -> DatabaseQueue {
        // The names of people's photos are nobody else's business; SQLite's other files take over the mode.
        _ = try OwnedDescriptor(
            opening: folder.appending(fileName), .readWrite, options: .create,
            permissions: [.ownerReadWrite, .groupRead])
        let queue = try connect(to: folder, progress: progress)
        try SQLiteProgress.reporting(progress, of: queue) {
            try queue.writeWithoutTransaction { database in
                guard try meta("process", in: database) != nil else { return }
                // The check reports no progress while it walks a table (SQLite 3.40). Reading the file first does, and
                // spares the check most of its time on the disk.
                try requireReadable(in: folder, progress)
                let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
                guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
            }
        }
        return queue
    }

    /// SQLite takes a read that the disk refuses for damage (EIO becomes SQLITE_CORRUPT): a disk that recovers has lost
    /// nothing, and one that does not is told as what it is.
    private static func requireReadable(in folder: FilePath, _ progress: () -> Void = {}) throws {
        do throws(Errno) {
            for ending in ["", "-wal"] {
                let path = FilePath(folder.appending(fileName).string + ending)
                guard OwnedDescriptor.exists(path) else { continue }
                let file = try OwnedDescriptor(opening: path)
                _ = try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max, progress: progress)
            }
        } catch {
            throw LibraryError(.unreadable, "\(folder): the Library cannot be read (\(error))")
        }
    }

    /// With what SQLite has beside it, so that somebody can still try to read it.
    private static func putAside(_ path: FilePath, as aside: FilePath) throws {
        for ending in ["-wal", "-shm", ""] where OwnedDescriptor.exists(FilePath(path.string + ending)) {
            try FileManager.default.moveItem(atPath: path.string + ending, toPath: aside.string + ending)
        }
    }

    /// A damaged Library was put aside, and what the outbox has of it is not in this one yet.
    package func needsRebuilding() async throws -> Bool {
        try await database.read { try Self.meta("rebuild", in: $0) != nil }
    }

    package func endRebuilding() async throws {
        try await database.write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'rebuild'") }
    }

    /// A sticker that was found in the outbox, with what its pack's index says of it.
    package struct FoundSticker: Sendable {
        let sticker: StickerRecord
        let colors: PhotoColorSample?
        let subjectColors: PhotoColorSample?

        /// - Parameters:
        ///   - colors: of the whole photo; nil where the index does not say.
        ///   - subjectColors: of the subject alone, likewise.
        package init(_ sticker: StickerRecord, colors: PhotoColorSample?, subjectColors: PhotoColorSample?) {
            self.sticker = sticker
            self.colors = colors
            self.subjectColors = subjectColors
        }
    }

    /// Takes over the stickers that a pack's folder has, in their order: they come before everything that comes in.
    /// Which settings they were made with nobody knows any more.
    ///
    /// - Parameter following: how many stickers of the pack come directly after these.
    package func adopt(
        _ stickers: [FoundSticker], inPack pack: String, folder: String, revision: Int, following: Int = 0
    ) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO recipe VALUES (?, '{}', ?)", arguments: [Self.unknownRecipe, Date()])
            try database.execute(
                sql: "INSERT OR IGNORE INTO pack (name, folder, revision, folded) VALUES (?, ?, ?, ?)",
                arguments: [pack, folder, revision, FoldedName(folder).text])
            for (place, found) in stickers.enumerated() {
                let sticker = found.sticker
                try database.execute(
                    sql: "INSERT OR IGNORE INTO photo (sha256, bytes, firstSeen) VALUES (?, 0, ?)",
                    arguments: [sticker.photo, sticker.added])
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height,
                            bytes, sha256, confidence, added, thumbnail, published)
                        VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                        """,
                    arguments: [
                        pack, sticker.photo, sticker.ordinal, Self.unknownRecipe, place - stickers.count - following,
                        sticker.file,
                        sticker.width, sticker.height, sticker.bytes, sticker.sha256, sticker.confidence,
                        sticker.added, sticker.thumbnail,
                    ])
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO result (photo, recipe, outcome, confidence, colors, subjectColors, finished)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        sticker.photo, Self.unknownRecipe, FileState.done.rawValue, sticker.confidence,
                        found.colors?.description, found.subjectColors?.description, sticker.added,
                    ])
            }
        }
        markChanged([pack])
    }

    /// Stands for the recipe of stickers whose own is not known.
    package static let unknownRecipe = "unknown"
}
