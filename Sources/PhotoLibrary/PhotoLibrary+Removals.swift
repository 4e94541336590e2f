import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// Stickers that a user has removed for good. They are not made again until they are restored: not by a remake, nor from
/// a copy of the photo in the same pack. If the photo moves to another pack, they stay removed there.
extension PhotoLibrary {
    /// A row of `removed`.
    package struct RemovedSticker: Decodable, FetchableRecord, Sendable, Hashable {
        /// SHA-256 of the photo, lowercase hexadecimal.
        package let photo: String
        /// Its number among the stickers of the photo, from 0.
        package let ordinal: Int
        /// The name it had in the pack's folder.
        package let file: String

        /// `file` is the name that `restore` finds it by.
        package init(photo: String, ordinal: Int, file: String) {
            self.photo = photo
            self.ordinal = ordinal
            self.file = file
        }
    }

    /// The result of a request to remove or restore stickers.
    package struct Removal: Sendable {
        /// How many stickers it concerns.
        package var stickers = 0
        /// Names that were refused, with the reason; one line each.
        package var refused: [String] = []
        /// The daemon to wake, if one is running.
        package var daemon: ProcessIdentity?
    }

    /// Requests that stickers be removed for good, whether or not the daemon of this state folder is running. Their files
    /// are removed once the index without them is written.
    ///
    /// - Parameter names: relative to the outbox; without a folder, the name may also be that of a sticker in the only
    ///   pack that has one.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRemoval(in folder: FilePath, of names: [String]) throws -> Removal {
        try request(in: folder, names) { name, removal, database in
            let found = try named(name, in: database) { pack, file in
                try StickerRecord.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM sticker WHERE file = :file AND published
                            AND pack IN (SELECT name FROM pack WHERE :pack IS NULL OR folder = :pack)
                        """, arguments: ["pack": pack, "file": file])
            }
            guard let sticker = found.first, found.count == 1 else {
                return removal.refused.append(refusal(name, found.count, "unknown sticker"))
            }
            let removed = RemovedSticker(photo: sticker.photo, ordinal: sticker.ordinal, file: sticker.file)
            try record([removed], inPack: sticker.pack, in: database)
            try withdrawRemoved(sticker, in: database)
            let rest = try Row.fetchOne(
                database, sql: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ?",
                arguments: [sticker.photo, sticker.pack])
            if rest == nil {
                try forgetPalette(of: sticker.photo, pack: sticker.pack, in: database)
                // A photo without stickers stays in the inbox.
                try database.execute(
                    sql: """
                        DELETE FROM original WHERE finished IS NULL
                            AND file IN (SELECT id FROM file WHERE photo = ? AND pack = ?)
                        """, arguments: [sticker.photo, sticker.pack])
            }
            removal.stickers += 1
        }
    }

    /// Requests that removed stickers be made again, whether or not the daemon of this state folder is running. If a photo
    /// is gone, its sticker is made when it returns.
    ///
    /// - Parameter names: as for `requestRemoval`.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRestoration(in folder: FilePath, of names: [String]) throws -> Removal {
        try request(in: folder, names) { name, removal, database in
            let found = try named(name, in: database) { pack, file in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT pack, photo, ordinal FROM removed WHERE file = :file
                            AND pack IN (SELECT name FROM pack WHERE :pack IS NULL OR folder = :pack)
                        """, arguments: ["pack": pack, "file": file])
            }
            guard let row = found.first, found.count == 1 else {
                return removal.refused.append(refusal(name, found.count, "no removed sticker has this name"))
            }
            let (pack, photo, ordinal): (String, String, Int) = (row["pack"], row["photo"], row["ordinal"])
            try database.execute(
                sql: "DELETE FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
                arguments: [photo, pack, ordinal])
            // An index with the next number, which a crash kept from being recorded, still lists the removal.
            try database.execute(sql: "UPDATE pack SET revision = revision + 1 WHERE name = ?", arguments: [pack])
            guard try requeue(photo, inPack: pack, in: database) else {
                return removal.refused.append(
                    "\(escaped(name)): its photo is gone; the sticker will be made if the photo returns")
            }
            removal.stickers += 1
        }
    }
}

extension PhotoLibrary {
    private static func request(
        in folder: FilePath, _ names: [String],
        _ work: (String, inout Removal, Database) throws -> Void
    ) throws -> Removal {
        try writing(in: folder) { database in
            var removal = Removal()
            removal.daemon = try daemon(of: folder, in: database)
            for name in names { try work(name, &removal, database) }
            return removal
        }
    }

    /// What `find` returns for a folder of the outbox and a file in it. Without a folder in the name, the root pack comes
    /// first, and then all packs (nil).
    private static func named<Found>(
        _ name: String, in database: Database, _ find: (String?, String) throws -> [Found]
    ) throws -> [Found] {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 { return try find(parts[0], parts[1]) }
        let inRoot = try find("", name)
        return inRoot.isEmpty ? try find(nil, name) : inRoot
    }

    /// For a terminal.
    private static func escaped(_ name: String) -> String { InboxPath(bytes: Array(name.utf8)).description }

    private static func refusal(_ name: String, _ count: Int, _ reason: String) -> String {
        count > 1
            ? "\(escaped(name)): several packs have a sticker of this name; give its path in the outbox"
            : "\(escaped(name)): \(reason); give its path, or its path in the outbox"
    }

    static func record(_ removed: [RemovedSticker], inPack pack: String, in database: Database) throws {
        for sticker in removed {
            try database.execute(
                sql: "INSERT OR IGNORE INTO removed (photo, pack, ordinal, file, since) VALUES (?, ?, ?, ?, ?)",
                arguments: [sticker.photo, pack, sticker.ordinal, sticker.file, Date()])
        }
    }

    /// Has a removed sticker's files removed.
    static func withdrawRemoved(_ sticker: StickerRecord, in database: Database) throws {
        try withdraw(sticker.file, ofPack: sticker.pack, in: database)
        if let thumbnail = sticker.thumbnail {
            try withdraw("thumbnails/\(thumbnail)", ofPack: sticker.pack, in: database)
        }
        try database.execute(
            sql: "DELETE FROM sticker WHERE photo = ? AND pack = ? AND ordinal = ?",
            arguments: [sticker.photo, sticker.pack, sticker.ordinal])
    }

    /// Withdraws a sticker that was made while it was being removed. Returns whether it was removed.
    static func withdrawIfRemoved(_ sticker: StickerRecord, in database: Database) throws -> Bool {
        guard try isRemoved(sticker.photo, ordinal: sticker.ordinal, pack: sticker.pack, in: database) else {
            return false
        }
        try withdrawRemoved(sticker, in: database)
        return true
    }

    static func isRemoved(_ photo: String, ordinal: Int, pack: String, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cached: "SELECT 1 FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
            arguments: [photo, pack, ordinal]) != nil
    }

    /// Has the stickers of a photo made again; those that it has stay until then. Returns false if the photo is gone.
    static func requeue(_ photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE sticker SET stale = 1 WHERE photo = ? AND pack = ? AND published", arguments: [photo, pack])
        let files = try FileRecord.fetchAll(
            database,
            sql: """
                SELECT * FROM file WHERE photo = ? AND pack = ?
                    AND state IN ('pending', 'processing', 'done', 'duplicate') AND device <> ?
                    AND NOT \(isGoneForGood)
                """, arguments: [photo, pack, Int64(bitPattern: elsewhere)])
        for file in files where file.state.isRepackedIfMoved { try file.move(.requeue, in: database) }
        return !files.isEmpty
    }

    /// Whether a request requires more stickers than `ending` has. It came while the file was in progress, and
    /// therefore could not requeue it.
    static func isIncomplete(_ ending: Ending, _ file: FileRecord?, in database: Database) throws -> Bool {
        guard let file, let photo = file.photo, ending.state.state.isRepackedIfMoved, ending.like == nil else {
            return false
        }
        guard !ending.skipped.isEmpty else {
            // New stickers are current; those of a recognized photo were current when it was recognized.
            return try ending.stickers.isEmpty
                && Row.fetchOne(
                    database,
                    cached: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ? AND (stale OR NOT published) LIMIT 1",
                    arguments: [photo, file.pack]) != nil
        }
        let removed = try Int.fetchAll(
            database, sql: "SELECT ordinal FROM removed WHERE photo = ? AND pack = ?", arguments: [photo, file.pack])
        return !ending.skipped.isSubset(of: removed)
    }

    static func hasRemoved(_ photo: String, inPack pack: String, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cached: "SELECT 1 FROM removed WHERE photo = ? AND pack = ? LIMIT 1", arguments: [photo, pack])
            != nil
    }

    /// Carries a photo's removals to the pack that it was moved to. They also stay in the former pack if another file
    /// than `file` holds the photo there.
    static func moveRemovals(
        of photo: String?, from former: String, to pack: String, without file: Int64, in database: Database
    ) throws {
        guard let photo, try hasRemoved(photo, inPack: former, in: database) else { return }
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO removed SELECT photo, ?, ordinal, file, since FROM removed
                WHERE photo = ? AND pack = ?
                """, arguments: [pack, photo, former])
        let other = try Row.fetchOne(
            database, sql: "SELECT 1 FROM file WHERE photo = ? AND pack = ? AND id <> ? AND leftAt IS NULL LIMIT 1",
            arguments: [photo, former, file])
        guard other == nil else { return }
        try database.execute(sql: "DELETE FROM removed WHERE photo = ? AND pack = ?", arguments: [photo, former])
    }
}
