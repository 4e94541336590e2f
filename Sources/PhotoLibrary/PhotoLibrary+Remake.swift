import GRDB
package import LinuxIO
package import SystemPackage

/// Requeues photos whose stickers or thumbnails are missing from the outbox.
extension PhotoLibrary {
    /// A condition on a row of `file`: stickerd removed the file, or found it gone when about to.
    private static let isGoneForGood = """
        EXISTS (SELECT 1 FROM original
            WHERE file = file.id AND arrival = file.arrival AND outcome IN ('removed', 'gone'))
        """

    /// Requeues the photos whose thumbnails are missing from the outbox; their stickers stay in the pack without one
    /// until they are remade. Returns how many photos were requeued.
    ///
    /// Works in batches, so that other calls run in between; after a stop the next audit finds the rest.
    package func remake(thumbnails: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(thumbnails, ofPack: pack) { thumbnail, database in
            let files = try FileRecord.fetchAll(
                database,
                sql: """
                    SELECT * FROM file WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                        (SELECT photo FROM sticker WHERE pack = ? AND thumbnail = ?)
                        AND NOT \(Self.isGoneForGood)
                    """, arguments: [pack, pack, thumbnail.text]
            ).move(.requeue, in: database)
            try database.execute(
                sql: "UPDATE sticker SET stale = 1, thumbnail = NULL WHERE pack = ? AND thumbnail = ?",
                arguments: [pack, thumbnail.text])
            return !files.isEmpty
        }
    }

    /// Takes stickers that are missing from the outbox out of the pack, and requeues their photos if the inbox still has
    /// a file with the photo, under any name. Their places in the pack are kept. Returns how many photos were requeued.
    ///
    /// Works in batches, as above.
    package func remake(_ files: Set<ExactName>, inPack pack: String) async throws -> Int {
        try await inBatches(files, ofPack: pack) { try Self.remake($0.text, inPack: pack, in: $1) }
    }

    private func inBatches(
        _ names: Set<ExactName>, ofPack pack: String, remake: @escaping @Sendable (ExactName, Database) throws -> Bool
    ) async throws -> Int {
        var rest = names.sorted()[...]
        var count = 0
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            count += try await database.write { database in try batch.count { try remake($0, database) } }
            markChanged([pack])
        }
        return count
    }

    /// Returns whether its photo was requeued.
    static func remake(_ file: String, inPack pack: String, in database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE sticker SET published = 0 WHERE pack = ? AND file = ?", arguments: [pack, file])
        let files = try FileRecord.fetchAll(
            database,
            sql: """
                SELECT * FROM file WHERE state IN ('done', 'duplicate') AND pack = ? AND photo =
                    (SELECT photo FROM sticker WHERE pack = ? AND file = ?)
                    AND NOT \(isGoneForGood)
                """, arguments: [pack, pack, file])
        return try !files.move(.requeue, in: database).isEmpty
    }

    /// Takes stickers that are not as they should be out of the packs, and requeues their photos and those of files that
    /// have no sticker, whether or not the daemon of this state folder is running.
    ///
    /// - Returns: the daemon to wake, if one is running.
    /// - Throws: `LibraryError` if there is no Library that can be written.
    package static func requestRepair(
        in folder: FilePath, stickers: [StickerRecord], files: [InboxPath]
    ) throws -> ProcessIdentity? {
        try writing(in: folder) { database in
            for sticker in stickers {
                _ = try remake(sticker.file, inPack: sticker.pack, in: database)
            }
            for path in files {
                guard let file = try FileRecord.at(path, in: database), file.state == .done else { continue }
                try file.move(.requeue, in: database)
            }
            return try daemon(of: folder, in: database)
        }
    }
}
