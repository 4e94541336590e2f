import Foundation
package import GRDB
package import PhotoLibrary
import SQLiteDatabase

/// An export that is withheld because a messenger or server would refuse it, or that lacks some stickers.
package struct WithheldExport: Codable, Sendable, Equatable {
    /// The pack's name in the Library; '' for the root pack.
    package let pack: String
    package let export: String
    /// One line for a person.
    package let reason: String
    /// How many stickers the export lacks; nil if it is withheld.
    package let leftOut: Int?

    package init(pack: String, export: String, reason: String, leftOut: Int? = nil) {
        self.pack = pack
        self.export = export
        self.reason = reason
        self.leftOut = leftOut
    }
}

/// Withheld exports, for `stickerd status`: it must not read the outbox, whose disk may not respond.
extension Library {
    private static let withheldPrefix = "withheld/"

    /// Replaces what is recorded for a pack. Writes nothing if nothing changes.
    ///
    /// - Parameters:
    ///   - exports: those withheld now or without some stickers; none if all are complete.
    ///   - pack: their pack.
    package func record(withheld exports: [WithheldExport], ofPack pack: String) async throws {
        let key = Self.withheldPrefix + pack
        let text = exports.isEmpty ? nil : String(decoding: try JSONEncoder().encode(exports), as: UTF8.self)
        guard try await database.read({ try Self.meta(key, in: $0) }) != text else { return }
        try await database.write { try Self.setMeta(key, text, in: $0) }
    }

    /// In the order of the packs' names, then of the settings.
    package static func withheldExports(in database: Database) throws -> [WithheldExport] {
        // `0` is the character after `/`.
        let texts = try String.fetchAll(
            database, sql: "SELECT value FROM meta WHERE key >= ? AND key < 'withheld0' ORDER BY key",
            arguments: [withheldPrefix])
        return texts.flatMap { (try? JSONDecoder().decode([WithheldExport].self, from: Data($0.utf8))) ?? [] }
    }
}

/// A pack as its exports show it.
package struct ExportedPack: Sendable {
    /// Its folder, relative to the outbox.
    package let folder: String
    /// Identifies the index that lists these stickers, and how they are exported; `record(exported:ofPack:)` takes it.
    package let mark: String
    /// Whether photos or stickers wait, so that the index will list more soon.
    package let isGrowing: Bool
    /// Those that the index lists, in its order.
    package let stickers: [StickerRecord]
}

/// Exports follow the packs' indexes.
extension Library {
    /// The packs whose exports are not known to be those of the last index, written in the way that `identity` names,
    /// and the marks that they would get.
    package func packsToExport(_ identity: String) async throws -> [(pack: String, mark: String)] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                cached: """
                    SELECT name, revision || ' ' || :identity FROM pack
                    WHERE revision > 0 AND exported <> revision || ' ' || :identity ORDER BY name
                    """, arguments: ["identity": identity]
            ).map { (pack: $0[0], mark: $0[1]) }
        }
    }

    /// nil if there is no such pack. One read transaction: the mark is that of these stickers, which are not read
    /// unless `isWanted`.
    package func exportedPack(_ pack: String, _ identity: String, isWanted: Bool) async throws -> ExportedPack? {
        try await database.read { database in
            guard
                let row = try Row.fetchOne(
                    database,
                    cached: """
                        SELECT folder, revision || ' ' || ?, EXISTS (
                            SELECT 1 FROM packTally WHERE pack = name AND state IN ('pending', 'processing') AND files > 0)
                            OR EXISTS (
                                SELECT 1 FROM sticker INDEXED BY stickerUnlisted
                                WHERE pack = name AND published AND NOT listed)
                        FROM pack WHERE name = ?
                        """, arguments: [identity, pack])
            else { return nil }
            guard isWanted else { return ExportedPack(folder: row[0], mark: row[1], isGrowing: row[2], stickers: []) }
            let stickers = try Row.fetchAll(
                database,
                cached: """
                    SELECT \(StickerRecord.columns) FROM sticker WHERE pack = ? AND published AND listed
                    ORDER BY arrival, ordinal, id
                    """, arguments: [pack]
            ).map(StickerRecord.init(numbered:))
            return ExportedPack(folder: row[0], mark: row[1], isGrowing: row[2], stickers: stickers)
        }
    }

    /// Records that a pack's exports are complete, unless one of their files was lost meanwhile; '' if they may not be.
    package func record(exported mark: String, ofPack pack: String) async throws {
        try await database.write { database in
            try database.execute(
                cached: """
                    UPDATE pack SET exported = :mark WHERE name = :pack AND exported <> :mark AND NOT EXISTS (
                        SELECT 1 FROM ledger WHERE pack = :pack AND file > 'exports/' AND file < 'exports0' AND bytes IS NULL)
                    """, arguments: ["mark": mark, "pack": pack])
        }
    }
}
