import GRDB
package import PhotoLibrary
import PhotoRule
package import SystemPackage

/// Requests to remove stickers for good.
extension Library {
    /// Requests that stickers be removed for good, whether or not the daemon of this state folder is running. Their
    /// files are removed once the index without them is written. A photo that has no sticker in its pack leaves the
    /// list of those that failed or have no subject.
    ///
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRemoval(in folder: FilePath, of names: [RemovalName]) throws -> Answer {
        try request(in: folder, names) { name, answer, database in
            let file = try FileRecord.named(name.photo, in: database)
            if name.isPhoto, let file { return try remove(file, name, &answer, in: database) }
            let found = try named(name.sticker, in: database) { pack, file in
                try StickerRecord.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM sticker WHERE file = :file AND sha256 <> ''
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
