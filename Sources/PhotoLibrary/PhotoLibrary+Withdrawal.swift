import GRDB
import Synchronization

/// Stickers whose photo is no longer in the inbox.
extension PhotoLibrary {
    /// What becomes of them from here on.
    package func adopt(_ rule: WhenPhotoRemoved) {
        withdrawsRemoved.store(rule == .withdraw, ordering: .relaxed)
    }

    /// Files that somebody took out of the inbox: their stickers go where the rule says so, and the files with them.
    /// Those that were moved or removed here stay, and so does a sticker that another file has the photo of.
    ///
    /// - Returns: the packs that change by it.
    func withdrawStickers(ofRemovedFiles paths: [InboxPath], in database: Database) throws -> Set<ExactName> {
        guard withdrawsRemoved.load(ordering: .relaxed) else { return [] }
        var packs: Set<ExactName> = []
        for path in paths {
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT id, photo, pack FROM file
                    WHERE path = ? AND photo IS NOT NULL AND state <> 'processing'
                        AND NOT EXISTS (SELECT 1 FROM original WHERE file = file.id AND arrival = file.arrival)
                    """, arguments: [path.description])
            guard let row else { continue }
            try Self.withdrawStickers(ofPhoto: row["photo"], pack: row["pack"], without: row["id"], in: database)
            packs.formUnion(try withdrawReplaced(by: row["id"], photo: nil, in: database))
            try database.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [row["id"] as Int64])
            packs.insert(ExactName(row["pack"]))
        }
        return packs
    }

    /// Photos whose name this file has taken, and its own in packs that it was moved out of: their stickers go where the
    /// rule says so.
    func withdrawReplaced(by file: Int64, photo: String?, in database: Database) throws -> Set<ExactName> {
        let replaced = try Row.fetchAll(
            database, sql: "SELECT photo, pack FROM replaced WHERE file = ?", arguments: [file])
        try database.execute(sql: "DELETE FROM replaced WHERE file = ?", arguments: [file])
        guard withdrawsRemoved.load(ordering: .relaxed) else { return [] }
        var packs: Set<ExactName> = []
        let pack = try String.fetchOne(database, sql: "SELECT pack FROM file WHERE id = ?", arguments: [file])
        for row in replaced {
            let (formerPhoto, formerPack): (String, String) = (row["photo"], row["pack"])
            if let photo, let pack, formerPhoto == photo, formerPack.isExactly(pack) { continue }
            try Self.withdrawStickers(ofPhoto: formerPhoto, pack: formerPack, without: file, in: database)
            packs.insert(ExactName(formerPack))
        }
        return packs
    }

    /// Takes back the stickers of a photo in a pack, unless another file than `file` has the photo: then that one is
    /// where they come from.
    private static func withdrawStickers(
        ofPhoto photo: String, pack: String, without file: Int64, in database: Database
    ) throws {
        // Reads only the first file of each state: a photo may have very many copies.
        let other = try Int64.fetchOne(
            database,
            sql: """
                SELECT id FROM file WHERE id IN (
                    SELECT (SELECT id FROM file
                        WHERE photo = :photo AND pack = :pack AND state = key.value AND id <> :file
                        ORDER BY arrival LIMIT 1)
                    FROM json_each('["pending","processing","done","duplicate","noSubject"]') AS key)
                ORDER BY arrival LIMIT 1
                """, arguments: ["photo": photo, "pack": pack, "file": file])
        guard let other else {
            try forgetPalette(of: photo, pack: pack, in: database)
            try callUpLookalikes(ofPhoto: photo, pack: pack, in: database)
            return try withdraw(ofPhoto: photo, pack: pack, fromOrdinal: 0, in: database)
        }
        try database.execute(
            sql: "UPDATE sticker SET source = ? WHERE photo = ? AND pack = ?", arguments: [other, photo, pack])
        // It takes over how the photo ended, too: without a sticker there was no subject.
        try database.execute(
            sql: """
                UPDATE file SET
                    state = iif(EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack), 'done', 'noSubject'),
                    reason = iif(EXISTS (SELECT 1 FROM sticker WHERE photo = :photo AND pack = :pack), NULL,
                        (SELECT reason FROM result WHERE photo = :photo ORDER BY finished DESC LIMIT 1))
                WHERE id = :other AND state = 'duplicate'
                    AND NOT EXISTS (SELECT 1 FROM lookalike WHERE file = :other AND pack = :pack)
                """, arguments: ["photo": photo, "pack": pack, "other": other])
    }
}
