import GRDB
import OutboxLayout
package import PhotoLibrary
import SQLiteDatabase

/// Which pages of the packs' indexes have changed, and which files they have. Only one caller at a time may work on a
/// pack's pages.
extension Library {
    /// Makes every page due again if what its contents depend on has changed.
    ///
    /// - Parameter identity: identifies everything that the files depend on besides the stickers.
    package func adoptPages(_ identity: String) async throws {
        try await database.write { database in
            guard try Self.meta("pages", in: database) != identity else { return }
            try database.execute(sql: "UPDATE page SET version = version + 1")
            try Self.setMeta("pages", identity, in: database)
        }
    }

    /// A page whose files are out of date or missing.
    package struct DuePage: Sendable {
        package let page: PackPage
        /// All that it lists, in order.
        package let stickers: [PackSticker]
        /// Whether no later page of the pack was due when it was read.
        package let isLast: Bool
    }

    /// The next page that is due; nil if there is none after `last`.
    package func nextDuePage(ofPack pack: String, after last: PackPage?) async throws -> DuePage? {
        try await database.read { database in
            let due = """
                SELECT number, version, stickers, first FROM page INDEXED BY pageDue
                WHERE pack = ? AND first >= ? AND written <> version ORDER BY first LIMIT 3
                """
            // `last` may be due again.
            let pages = try PackPage.fetchAll(database, cached: due, arguments: [pack, last?.first ?? .min])
                .filter { $0.first != last?.first }
            guard let next = pages.first else { return nil }
            let stickers = try Self.stickers(from: next.first, ofPack: pack, in: database)
            let page = PackPage(
                number: next.name.number, revision: next.name.revision, stickers: stickers.count, first: next.first)
            return DuePage(page: page, stickers: stickers, isLast: pages.count == 1)
        }
    }

    /// The next page that is not due; nil if there is none after `last`.
    package func nextWrittenPage(ofPack pack: String, after last: PackPage?) async throws -> DuePage? {
        try await database.read { database in
            let page = try PackPage.fetchOne(
                database,
                cached: """
                    SELECT number, written, listed, first FROM page
                    WHERE pack = ? AND first >= ? AND written = version ORDER BY first LIMIT 1
                    """, arguments: [pack, last.map { $0.first + 1 } ?? .min])
            guard let page else { return nil }
            let stickers = try Self.stickers(from: page.first, ofPack: pack, in: database)
            return DuePage(page: page, stickers: stickers, isLast: false)
        }
    }

    /// Marks a page as changed.
    package func markChanged(_ page: PackPage, ofPack pack: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE page SET version = version + 1 WHERE pack = ? AND first = ?",
                arguments: [pack, page.first])
        }
    }

    /// The stickers of a page as its files list them; nil if they have changed since.
    package func stickers(of page: PackPage, ofPack pack: String) async throws -> [PackSticker]? {
        try await database.read { database in
            let now = try PackPage.fetchOne(
                database,
                cached: """
                    SELECT number, written, listed, first FROM page WHERE pack = ? AND first = ? AND written = version
                    """, arguments: [pack, page.first])
            return now == page ? try Self.stickers(from: page.first, ofPack: pack, in: database) : nil
        }
    }

    /// Those of the page that begins at `first`.
    private static func stickers(
        from first: Int64, ofPack pack: String, in database: Database
    ) throws -> [PackSticker] {
        let end = try Int64.fetchOne(
            database, cached: "SELECT MIN(first) FROM page WHERE pack = ? AND first > ?",
            arguments: [pack, first])
        return try PackSticker.fetchAll(
            database,
            cached: """
                SELECT \(StickerRecord.columns), result.colors, result.subjectColors \(PackSticker.tables)
                WHERE pack = ? AND published AND arrival >= ? AND arrival < ? ORDER BY arrival, ordinal, id
                """, arguments: [pack, first, end ?? .max])
    }

    /// Records that pages are written. One that has changed since it was read stays due.
    ///
    /// - Parameters:
    ///   - pages: as `nextDuePage` returned them.
    ///   - pack: theirs.
    ///   - changes: their files, as `record(_:ofPack:isWhole:)` takes them.
    package func record(
        _ pages: [PackPage], ofPack pack: String, with changes: [LedgerPart: [LedgerEntry]]
    ) async throws {
        try await database.write { try Self.record(pages, ofPack: pack, with: changes, in: $0) }
    }

    private static func record(
        _ pages: [PackPage], ofPack pack: String, with changes: [LedgerPart: [LedgerEntry]], in database: Database
    ) throws {
        for page in pages {
            try database.execute(
                cached: "UPDATE page SET written = ?, listed = ? WHERE pack = ? AND first = ?",
                arguments: [page.name.revision, page.stickers, pack, page.first])
        }
        try record(changes, ofPack: pack, isWhole: true, in: database)
    }

    /// What a pack's next index lists.
    package struct PackListing: Sendable {
        /// The pages that have files, in the order of the pack; nil if it is not divided.
        package let pages: [PackPage]?
        /// All stickers of a pack that is not divided, which is small; otherwise the first one.
        package let stickers: [PackSticker]
    }

    /// Records `pages`, then returns the pages and stickers for the pack's next index, in one transaction.
    ///
    /// - Parameters:
    ///   - pack: the pack whose pages were written before.
    ///   - isDivided: as `arrangePages` returned.
    ///   - pages: as `record` takes them.
    ///   - changes: as `record` takes them.
    package func listing(
        ofPack pack: String, isDivided: Bool, recording pages: [PackPage] = [],
        with changes: [LedgerPart: [LedgerEntry]] = [:]
    ) async throws -> PackListing {
        guard !pages.isEmpty else {
            return try await database.read { try Self.listing(ofPack: pack, isDivided: isDivided, in: $0) }
        }
        return try await database.write { database in
            try Self.record(pages, ofPack: pack, with: changes, in: database)
            return try Self.listing(ofPack: pack, isDivided: isDivided, in: database)
        }
    }

    private static func listing(ofPack pack: String, isDivided: Bool, in database: Database) throws -> PackListing {
        PackListing(
            pages: isDivided ? try writtenPages(ofPack: pack, in: database) : nil,
            stickers: try stickers(ofPack: pack, limit: isDivided ? 1 : .max, in: database))
    }

    private static func writtenPages(ofPack pack: String, in database: Database) throws -> [PackPage] {
        try PackPage.fetchAll(
            database,
            cached: "SELECT number, written, listed, first FROM page WHERE pack = ? AND written >= 0 ORDER BY first",
            arguments: [pack])
    }
}
