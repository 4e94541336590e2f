package import FileNames
import Foundation
import GRDB
import SQLiteDatabase

/// Packs and their folders.
extension Library {
    /// Records a recipe under its identifier, unless it is known, as the one that new stickers are made with.
    package func remember(recipe: String, content: String) async throws {
        try await database.write { database in
            try database.execute(
                cached: "INSERT INTO recipe VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [recipe, content, Date()])
            try Self.setMeta(Self.recipeKey, recipe, in: database)
        }
    }

    /// The names of all packs with files or a folder, always including the root pack ('').
    package func packNames() async throws -> Set<ExactName> {
        try await database.read { database in
            try Set(
                String.fetchAll(
                    database,
                    cached: """
                        SELECT pack FROM packTally WHERE files > 0 AND state <> 'ignored' UNION SELECT name FROM pack
                        """
                ).map { ExactName($0) }
            )
            .union([""])
        }
    }

    /// A pack's folder, relative to the outbox. A new pack gets the first of `candidates` that no other pack has,
    /// ignoring letter case and normalization; nil if all are taken. The root pack's folder is ''.
    package func folder(ofPack pack: String, candidates: some Sequence<String> & Sendable) async throws -> String? {
        try await database.write { database in
            let known = try String.fetchOne(
                database, cached: "SELECT folder FROM pack WHERE name = ?", arguments: [pack])
            if let known { return known }
            for candidate in candidates {
                try database.execute(
                    sql: """
                        INSERT INTO pack (name, folder, folded) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                        """, arguments: [pack, candidate, FoldedName(candidate).text])
                if database.changesCount > 0 { return candidate }
            }
            return nil
        }
    }
}
