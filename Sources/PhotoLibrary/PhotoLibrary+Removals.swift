import FileNames
import Foundation
import GRDB
import LinuxIO
import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// Stickers that a user has removed for good, and photos without a sticker whose entries were removed. They are not
/// made again until they are restored: not by a remake, nor from a copy of the photo in the same pack. If the photo
/// moves to another pack, they stay removed there.
extension PhotoLibrary {
    /// Why a file that was never read is ignored once a user has removed it.
    static let dismissal = "removed by stickerd remove; touch the file to process it again"

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

    /// What a user names to be removed or restored: a sticker, or a photo for all of its stickers.
    package struct RemovalName: Sendable {
        /// The sticker's path in the outbox. Without a folder, it may also be the name of a sticker in the only pack
        /// that has one.
        let sticker: String
        /// The photo's path in the inbox, escaped.
        let photo: String
        /// Whether the photo is meant if there are both.
        let isPhoto: Bool

        /// See the properties.
        package init(sticker: String, photo: String, isPhoto: Bool) {
            (self.sticker, self.photo, self.isPhoto) = (sticker, photo, isPhoto)
        }
    }

    /// Requests that stickers be removed for good, whether or not the daemon of this state folder is running. Their
    /// files are removed once the index without them is written. A photo that has no sticker in its pack leaves the
    /// list of those that failed or have no subject.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRemoval(in folder: FilePath, of names: [RemovalName]) throws -> Answer {
        try request(in: folder, names) { name, answer, database in
            let file = try FileRecord.at(name.photo, in: database)
            if name.isPhoto, let file { return try remove(file, name, &answer, in: database) }
            let found = try named(name.sticker, in: database) { pack, file in
                try StickerRecord.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM sticker WHERE file = :file AND published
                            AND pack IN (SELECT name FROM pack WHERE :pack IS NULL OR folder = :pack)
                        """, arguments: ["pack": pack, "file": file])
            }
            if found.isEmpty, let file { return try remove(file, name, &answer, in: database) }
            guard found.count == 1 else {
                return answer.refused.append(refusal(name.sticker, found.count, "unknown sticker or photo"))
            }
            try remove(found, in: database)
            answer.stickers += 1
        }
    }

    /// Removes the stickers of a file's photo from its pack, or its entry there.
    private static func remove(
        _ file: FileRecord, _ name: RemovalName, _ answer: inout Answer, in database: Database
    ) throws {
        // A file that the settings came to ignore has no photo any more, but maybe a sticker that stayed.
        let photos =
            file.state == .ignored
            ? try String.fetchAll(
                database, sql: "SELECT DISTINCT photo FROM sticker WHERE source = ? AND pack = ?",
                arguments: [file.id, file.pack]) : [file.photo].compactMap(\.self)
        let before = answer.stickers
        for photo in photos {
            // Those missing from the outbox are not published, and those that are being made have no digest yet.
            let stickers = try StickerRecord.fetchAll(
                database, sql: "SELECT * FROM sticker WHERE photo = ? AND pack = ? AND sha256 <> '' ORDER BY ordinal",
                arguments: [photo, file.pack])
            try remove(stickers, in: database)
            answer.stickers += stickers.count
        }
        if answer.stickers > before { return }
        switch file.state {
        case .failed, .noSubject: break
        case .pending, .processing:
            return answer.refused.append("\(name.photo): has no sticker yet; try again when it is finished")
        case .done: return answer.refused.append("\(name.photo): was removed already")
        case .duplicate, .ignored:
            return answer.refused.append("\(name.photo): has no sticker: \(file.reason ?? file.state.rawValue)")
        }
        answer.photos += 1
        try keepOriginal(of: file, in: database)
        guard let photo = file.photo else { return _ = try file.move(.dismiss, because: Self.dismissal, in: database) }
        // As stickers are named if the settings keep photos' names out of the outbox.
        try record(
            [RemovedSticker(photo: photo, ordinal: 0, file: "\(photo.prefix(8)).png")], inPack: file.pack, in: database)
    }

    /// Removes stickers of one photo and pack.
    private static func remove(_ stickers: [StickerRecord], in database: Database) throws {
        guard let (photo, pack) = stickers.first.map({ ($0.photo, $0.pack) }) else { return }
        for sticker in stickers {
            let removed = RemovedSticker(photo: photo, ordinal: sticker.ordinal, file: sticker.file)
            try record([removed], inPack: pack, in: database)
        }
        try decideTouched(in: database)
        let rest = try Row.fetchOne(
            database, sql: "SELECT 1 FROM sticker WHERE photo = ? AND pack = ?", arguments: [photo, pack])
        guard rest == nil else { return }
        // A photo without stickers stays in the inbox.
        try database.execute(
            sql: """
                DELETE FROM original WHERE finished IS NULL
                    AND file IN (SELECT id FROM file WHERE photo = ? AND pack = ?)
                """, arguments: [photo, pack])
    }

    /// Drops the planned moves of the files that hold a file's photo in its pack.
    static func keepOriginal(of file: FileRecord, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM original WHERE finished IS NULL AND (file = :file
                    OR file IN (SELECT id FROM file WHERE photo = :photo AND pack = :pack))
                """, arguments: ["file": file.id, "photo": file.photo, "pack": file.pack])
    }
}

extension PhotoLibrary {
    static func request(
        in folder: FilePath, _ names: [RemovalName],
        _ work: (RemovalName, inout Answer, Database) throws -> Void
    ) throws -> Answer {
        try writing(in: folder) { database in
            var answer = Answer()
            for name in names { try work(name, &answer, database) }
            return answer
        }
    }

    /// What `find` returns for a folder of the outbox and a file in it. Without a folder in the name, the root pack
    /// comes first, and then all packs (nil).
    static func named<Found>(
        _ name: String, in database: Database, _ find: (String?, String) throws -> [Found]
    ) throws -> [Found] {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 { return try find(parts[0], parts[1]) }
        let inRoot = try find("", name)
        return inRoot.isEmpty ? try find(nil, name) : inRoot
    }

    /// For a terminal.
    static func escaped(_ name: String) -> String { InboxPath(bytes: Array(name.utf8)).description }

    static func refusal(_ name: String, _ count: Int, _ reason: String) -> String {
        count > 1
            ? "\(escaped(name)): several packs have a sticker of this name; give its path in the outbox"
            : "\(escaped(name)): \(reason); give its path, or its path in the outbox or the inbox"
    }

    static func record(_ removed: [RemovedSticker], inPack pack: String, in database: Database) throws {
        for sticker in removed {
            try database.execute(
                sql: "INSERT OR IGNORE INTO removed (photo, pack, ordinal, file, since) VALUES (?, ?, ?, ?, ?)",
                arguments: [sticker.photo, pack, sticker.ordinal, sticker.file, Date()])
        }
    }

    static func isRemoved(_ photo: String, ordinal: Int, pack: String, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cached: "SELECT 1 FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
            arguments: [photo, pack, ordinal]) != nil
    }
}
