import GRDB
import OutboxLayout
package import PhotoLibrary
import SQLiteDatabase

/// Divides packs into pages: large ones only, and so that each page has a bounded number of stickers.
extension Library {
    /// Divides a pack's stickers into pages, or ends that; then divides pages that have become too large, and removes
    /// empty ones. The cost depends on the pages that are due, not on the pack.
    ///
    /// - Returns: whether the pack has pages.
    package func arrangePages(ofPack pack: String, sizes: PageSizes) async throws -> Bool {
        try await database.write { database in
            let stickers =
                try Int.fetchOne(
                    database, cached: "SELECT stickers FROM packStickers WHERE pack = ?", arguments: [pack]) ?? 0
            let isDivided = try database.hasRow(
                cached: "SELECT 1 FROM page WHERE pack = ? AND first = ?", arguments: [pack, Int64.min])
            guard stickers > sizes.maxUndivided else {
                if isDivided { try Self.removePages(ofPack: pack, in: database) }
                return false
            }
            if !isDivided { try Self.insertPage(from: .min, stickers: stickers, ofPack: pack, in: database) }
            let due = try PackPage.fetchAll(
                database,
                cached: """
                    SELECT number, version, stickers, first FROM page INDEXED BY pageDue
                    WHERE pack = ? AND written <> version
                    """, arguments: [pack])
            for page in due {
                // The first one covers everything before the second.
                if page.stickers == 0, page.first > .min { try Self.remove(page, ofPack: pack, in: database) }
                try Self.divide(page, ofPack: pack, sizes, in: database)
            }
            return true
        }
    }

    private static func insertPage(
        from first: Int64, stickers: Int, ofPack pack: String, in database: Database
    ) throws {
        try database.execute(sql: "UPDATE pack SET lastPage = lastPage + 1 WHERE name = ?", arguments: [pack])
        try database.execute(
            sql: """
                INSERT INTO page (pack, first, number, stickers) SELECT name, ?, lastPage, ? FROM pack WHERE name = ?
                """, arguments: [first, stickers, pack])
    }

    static func removePages(ofPack pack: String, in database: Database) throws {
        let pages = try PackPage.fetchAll(
            database, sql: "SELECT number, version, stickers, first FROM page WHERE pack = ? ORDER BY first",
            arguments: [pack])
        for page in pages { try remove(page, ofPack: pack, in: database) }
    }

    private static func remove(_ page: PackPage, ofPack pack: String, in database: Database) throws {
        try record([.page(page.name.number): []], ofPack: pack, isWhole: true, in: database)
        try database.execute(sql: "DELETE FROM page WHERE pack = ? AND first = ?", arguments: [pack, page.first])
    }

    /// Divides a page until no part is too large. The last page fills up before the next begins; another one is divided
    /// evenly, because more may come in between.
    private static func divide(
        _ page: PackPage, ofPack pack: String, _ sizes: PageSizes, in database: Database
    ) throws {
        guard page.stickers > sizes.maxStickers else { return }
        let isLast = try !database.hasRow(
            cached: "SELECT 1 FROM page WHERE pack = ? AND first > ? LIMIT 1", arguments: [pack, page.first])
        guard isLast || page.stickers > 2 * sizes.maxStickers else { return }
        var (first, stickers) = (page.first, page.stickers)
        while stickers > sizes.maxStickers {
            let parts = (stickers + sizes.maxStickers - 1) / sizes.maxStickers
            let wanted = isLast ? sizes.maxStickers : (stickers + parts - 1) / parts
            guard let cut = try cut(ofPack: pack, from: first, after: wanted, in: database), cut.before < stickers
            else { return }
            try database.execute(
                sql: "UPDATE page SET stickers = ?, version = version + 1 WHERE pack = ? AND first = ?",
                arguments: [cut.before, pack, first])
            (first, stickers) = (cut.arrival, stickers - cut.before)
            try insertPage(from: first, stickers: stickers, ofPack: pack, in: database)
        }
    }

    /// Where to divide a page that begins at `first`, so that about `count` stickers stay in front. Stickers of one
    /// photo have the same arrival, and are never divided. Nil if no other photo follows.
    private static func cut(
        ofPack pack: String, from first: Int64, after count: Int, in database: Database
    ) throws -> (arrival: Int64, before: Int)? {
        let arrivals = try Int64.fetchAll(
            database,
            sql: """
                SELECT arrival FROM sticker WHERE pack = ? AND published AND arrival >= ?
                ORDER BY arrival, ordinal, id LIMIT ?
                """, arguments: [pack, first, count + 1])
        guard let least = arrivals.first, let arrival = arrivals.last else { return nil }
        if arrival > least { return (arrival, arrivals.firstIndex(of: arrival) ?? count) }
        let next = try Int64.fetchOne(
            database,
            sql: """
                SELECT arrival FROM sticker WHERE pack = ? AND published AND arrival > ?
                ORDER BY arrival, ordinal, id LIMIT 1
                """, arguments: [pack, arrival])
        guard let next else { return nil }
        let before = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM sticker WHERE pack = ? AND published AND arrival = ?",
            arguments: [pack, arrival])
        return (next, before ?? 0)
    }
}
