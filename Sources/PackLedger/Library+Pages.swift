import GRDB
import GRDBSQLite
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
                SELECT * FROM page INDEXED BY pageDue WHERE pack = ? AND first >= ? AND written <> version
                ORDER BY first LIMIT 3
                """
            // `last` may be due again.
            let records = try PageRecord.fetchAll(database, cached: due, arguments: [pack, last?.first ?? .min])
                .filter { $0.first != last?.first }
            guard let record = records.first else { return nil }
            let stickers = try Self.stickers(of: record, in: database)
            let page = PackPage(
                number: record.number, revision: record.version, stickers: stickers.count, first: record.first)
            return DuePage(page: page, stickers: stickers, isLast: records.count == 1)
        }
    }

    /// The next page that is not due; nil if there is none after `last`.
    package func nextWrittenPage(ofPack pack: String, after last: PackPage?) async throws -> DuePage? {
        try await database.read { database in
            let record = try PageRecord.fetchOne(
                database,
                cached: "SELECT * FROM page WHERE pack = ? AND first >= ? AND written = version ORDER BY first LIMIT 1",
                arguments: [pack, last.map { $0.first + 1 } ?? .min])
            guard let record, let page = record.inFile else { return nil }
            return DuePage(page: page, stickers: try Self.stickers(of: record, in: database), isLast: false)
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
            guard let record = try Self.page(at: page.first, ofPack: pack, in: database),
                record.inFile == page, record.version == page.name.revision
            else { return nil }
            return try Self.stickers(of: record, in: database)
        }
    }

    private static func stickers(of record: PageRecord, in database: Database) throws -> [PackSticker] {
        let end = try Int64.fetchOne(
            database, cached: "SELECT MIN(first) FROM page WHERE pack = ? AND first > ?",
            arguments: [record.pack, record.first])
        return try PackSticker.fetchAll(
            database,
            cached: """
                SELECT \(StickerRecord.columns), result.colors, result.subjectColors \(PackSticker.tables)
                WHERE pack = ? AND published AND arrival >= ? AND arrival < ? ORDER BY arrival, ordinal, id
                """, arguments: [record.pack, record.first, end ?? .max])
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
        try WrittenPage.fetchAll(
            database,
            cached: "SELECT number, written, listed, first FROM page WHERE pack = ? AND written >= 0 ORDER BY first",
            arguments: [pack]
        ).map(\.page)
    }

    static func page(at first: Int64, ofPack pack: String, in database: Database) throws -> PageRecord? {
        try PageRecord.fetchOne(
            database, cached: "SELECT * FROM page WHERE pack = ? AND first = ?", arguments: [pack, first])
    }
}

/// A row of `page`, read without a `DatabaseValue` for each column: a pack may have a thousand pages, and these values
/// would take most of the time for its index.
private struct WrittenPage: DatabaseValueConvertible, StatementColumnConvertible {
    let page: PackPage

    /// Reads all columns of the row: number, revision, stickers, first arrival.
    init?(sqliteStatement statement: SQLiteStatement, index: CInt) {
        // The whole row is one value, so it starts at the first column.
        assert(index == 0)
        func number(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
        page = PackPage(number: Int(number(0)), revision: Int(number(1)), stickers: Int(number(2)), first: number(3))
    }

    // Not stored.
    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> WrittenPage? { nil }
}
