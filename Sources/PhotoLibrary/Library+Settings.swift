import FileNames
package import GRDB
import LinuxIO
import SQLiteDatabase
package import SystemPackage

/// What is remembered of the daemon's settings.
extension Library {
    /// The key in `meta` of the settings file's escaped path.
    package static let settingsFileKey = "settingsFile"
    static let recipeKey = "recipe"

    /// Records which settings file the daemon has read, for commands that get only the state folder; nil for none.
    package func recordSettingsFile(_ path: FilePath?) async throws {
        let text = path.map { InboxPath(bytes: $0.bytes).description }
        try await database.write { try Self.setMeta(Self.settingsFileKey, text, in: $0) }
    }

    /// How many published stickers were made with another recipe than the one last remembered.
    package func outdatedStickers() async throws -> Int {
        try await database.read { try Self.outdatedStickers(in: $0) }
    }

    /// The same in a transaction.
    package static func outdatedStickers(in database: Database) throws -> Int {
        guard let recipe = try meta(recipeKey, in: database) else { return 0 }
        // There are few recipes, and each is looked up in the index.
        return try Int.fetchOne(
            database,
            sql: """
                SELECT COUNT(*) FROM sticker INDEXED BY stickerByRecipe
                WHERE published AND recipe IN (SELECT id FROM recipe WHERE id <> ?)
                """, arguments: [recipe]) ?? 0
    }
}
