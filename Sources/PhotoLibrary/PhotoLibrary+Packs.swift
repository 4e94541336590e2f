import Foundation
import GRDB
package import PhotoColors

/// What the Outbox asks: packs, their folders, and what their index says.
extension PhotoLibrary {
    /// Everything a pack's index is made of, from one moment.
    package struct PackContents: Sendable {
        package struct Entry: Sendable {
            package let sticker: StickerRecord
            package let colors: PhotoColorScheme
        }
        package struct Waiting: Sendable {
            package let path: InboxPath
            package let reason: String?
        }
        /// In order of arrival.
        package let stickers: [Entry]
        /// In order of arrival; at most the number asked for.
        package let pending: [Waiting]
        package let failed: [Waiting]
    }

    /// Writes down a recipe under its identifier, once.
    package func remember(recipe: String, content: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO recipe VALUES (?, ?, ?) ON CONFLICT DO NOTHING", arguments: [recipe, content, Date()])
        }
    }

    /// The names of all packs that files came in for, the root's ('') always among them.
    package func packNames() async throws -> Set<String> {
        try await database.read { database in
            try Set(
                String.fetchAll(
                    database, sql: "SELECT DISTINCT pack FROM file WHERE state <> 'ignored' UNION SELECT name FROM pack"
                )
            )
            .union([""])
        }
    }

    /// The folder of a pack in the outbox, relative to it; the first of `candidates` that no other pack has where the
    /// pack is new. The root's pack has the folder ''.
    package func folder(ofPack pack: String, candidates: some Sequence<String> & Sendable) async throws -> String? {
        try await database.write { database in
            let known = try String.fetchOne(
                database, sql: "SELECT folder FROM pack WHERE name = ?", arguments: [pack])
            if let known { return known }
            for candidate in candidates {
                try database.execute(
                    sql: "INSERT INTO pack (name, folder) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    arguments: [pack, candidate])
                if database.changesCount > 0 { return candidate }
            }
            return nil
        }
    }

    /// The number of the last index written for a pack.
    package func revision(ofPack pack: String) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(database, sql: "SELECT revision FROM pack WHERE name = ?", arguments: [pack]) ?? 0
        }
    }

    package func setRevision(_ revision: Int, ofPack pack: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE pack SET revision = ? WHERE name = ?", arguments: [revision, pack])
        }
    }

    /// What a pack holds, with at most `listed` waiting and failed files each. Linear in the pack's stickers.
    package func contents(ofPack pack: String, listed: Int) async throws -> PackContents {
        try await database.read { database in
            let decoder = JSONDecoder()
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT sticker.*, result.colors FROM sticker
                    LEFT JOIN result ON result.photo = sticker.photo AND result.recipe = sticker.recipe
                    WHERE pack = ? AND published ORDER BY arrival, ordinal
                    """, arguments: [pack])
            var stickers: [PackContents.Entry] = []
            while let row = try rows.next() {
                let colors = try (row["colors"] as String?).map {
                    try decoder.decode(PhotoColorScheme.self, from: Data($0.utf8))
                }
                stickers.append(.init(sticker: StickerRecord(row: row), colors: colors ?? PhotoColorScheme(colors: [])))
            }
            func waiting(_ states: String) throws -> [PackContents.Waiting] {
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT path, reason FROM file WHERE pack = ? AND state IN (\(states))
                        ORDER BY arrival LIMIT ?
                        """, arguments: [pack, listed]
                ).compactMap { row in
                    InboxPath(escaped: row["path"]).map { .init(path: $0, reason: row["reason"]) }
                }
            }
            return PackContents(
                stickers: stickers, pending: try waiting("'pending', 'processing'"), failed: try waiting("'failed'"))
        }
    }
}

extension StickerRecord {
    init(row: Row) {
        self.init(
            pack: row["pack"], photo: row["photo"], ordinal: row["ordinal"], file: row["file"], width: row["width"],
            height: row["height"], bytes: row["bytes"], sha256: row["sha256"], confidence: row["confidence"],
            recipe: row["recipe"], added: row["added"])
    }
}
