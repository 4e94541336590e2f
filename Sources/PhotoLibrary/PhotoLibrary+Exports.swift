import Foundation
import GRDB

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
extension PhotoLibrary {
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
        try await database.write { database in
            guard let text else {
                return try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [key])
            }
            try Self.setMeta(key, text, in: database)
        }
    }

    /// In the order of the packs' names, then of the settings.
    static func withheldExports(in database: Database) throws -> [WithheldExport] {
        // `0` is the character after `/`.
        let texts = try String.fetchAll(
            database, sql: "SELECT value FROM meta WHERE key >= ? AND key < 'withheld0' ORDER BY key",
            arguments: [withheldPrefix])
        return texts.flatMap { (try? JSONDecoder().decode([WithheldExport].self, from: Data($0.utf8))) ?? [] }
    }
}
