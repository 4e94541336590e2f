import GRDB
package import LinuxIO
package import SystemPackage

/// Which file system the outbox is on, so that stickers on a disk that is away are not taken for lost.
extension PhotoLibrary {
    /// A sticker's file, as it is in the outbox.
    package struct PublishedFile: Sendable {
        /// Relative to the outbox.
        package let path: FilePath
        package let bytes: Int
    }

    private static let outboxPlaceKey = "outboxPlace"

    /// Where the outbox was when it was last used; nil before the first time.
    package func outboxPlace() async throws -> FolderPlace? {
        try await database.read { try Self.outboxPlace(in: $0) }
    }

    /// The outbox is there from here on.
    package func rememberOutbox(at place: FolderPlace) async throws {
        let numbers = [place.device, place.inode, place.fileSystem].map(String.init).joined(separator: " ")
        try await database.write { try Self.setMeta(Self.outboxPlaceKey, numbers, in: $0) }
    }

    /// Whether a Library in `folder` has used this outbox, given by its canonical path; false where there is no Library
    /// that can be read.
    package static func hasUsedOutbox(_ outbox: String, in folder: FilePath) -> Bool {
        let isKnown = try? reading(in: folder) { database in
            try meta("outbox", in: database)?.isExactly(outbox) == true && outboxPlace(in: database) != nil
        }
        return isKnown ?? false
    }

    /// Up to `limit` stickers that should be in the outbox, the latest.
    package func latestPublished(limit: Int) async throws -> [PublishedFile] {
        try await database.read { try Self.latestPublished(limit: limit, in: $0) }
    }

    static func outboxPlace(in database: Database) throws -> FolderPlace? {
        let numbers = try meta(outboxPlaceKey, in: database)?.split(separator: " ").compactMap { UInt64($0) }
        guard let numbers, numbers.count == 3 else { return nil }
        return FolderPlace(device: numbers[0], inode: numbers[1], fileSystem: numbers[2])
    }

    static func latestPublished(limit: Int, in database: Database) throws -> [PublishedFile] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT folder, file, bytes FROM sticker JOIN pack ON name = pack WHERE published
                ORDER BY id DESC LIMIT ?
                """, arguments: [limit]
        ).map { row in
            let folder: String = row["folder"]
            let file: String = row["file"]
            return PublishedFile(path: FilePath(folder).appending(file), bytes: row["bytes"])
        }
    }
}
