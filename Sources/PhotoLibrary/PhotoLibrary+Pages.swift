import GRDB
import GRDBSQLite

/// Which pages of the packs' indexes have changed, and which files they have. Only one caller at a time may work on a
/// pack's pages.
extension PhotoLibrary {
    /// A file as it was written.
    package struct WrittenFile: Sendable {
        package let bytes: Int
        /// Nanoseconds since 1970.
        package let modified: Int64
        /// Lowercase hexadecimal.
        package let sha256: String

        package init(bytes: Int, modified: Int64, sha256: String) {
            self.bytes = bytes
            self.modified = modified
            self.sha256 = sha256
        }
    }

    /// A page's files as they were written.
    package struct PageFiles: Sendable {
        package let page: PackPage
        package let index: WrittenFile
        /// nil if there was no gallery.
        package let script: WrittenFile?

        package init(_ page: PackPage, index: WrittenFile, script: WrittenFile? = nil) {
            self.page = page
            self.index = index
            self.script = script
        }

        init?(_ record: PageRecord) {
            guard let page = record.inFile else { return nil }
            var script: WrittenFile?
            if let bytes = record.scriptBytes, let modified = record.scriptModified, let sha256 = record.scriptSHA256 {
                script = WrittenFile(bytes: bytes, modified: modified, sha256: sha256)
            }
            let index = WrittenFile(bytes: record.bytes, modified: record.modified, sha256: record.sha256)
            self.init(page, index: index, script: script)
        }

        /// Its files by kind.
        package var all: [(kind: PackPage.Kind, file: WrittenFile)] {
            [(.index, index)] + (script.map { [(.script, $0)] } ?? [])
        }
    }

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

    /// The stickers of a page as its files list them; nil if they have changed since.
    package func stickers(of page: PackPage, ofPack pack: String) async throws -> [PackSticker]? {
        try await database.read { database in
            guard let record = try Self.page(at: page.first, ofPack: pack, in: database),
                record.inFile == page, record.version == page.revision
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
                SELECT sticker.pack, sticker.photo, sticker.ordinal, sticker.file, sticker.width, sticker.height,
                    sticker.bytes, sticker.sha256, sticker.confidence, sticker.recipe, sticker.added, sticker.thumbnail,
                    sticker.stem, result.colors, result.subjectColors, sticker.arrival, sticker.id FROM sticker
                LEFT JOIN result ON result.photo = sticker.photo AND result.recipe = sticker.recipe
                WHERE pack = ? AND published AND arrival >= ? AND arrival < ? ORDER BY arrival, ordinal, id
                """, arguments: [record.pack, record.first, end ?? .max])
    }

    /// Records files of pages; their former files are to be removed from the outbox (`formerFiles`). A page that has
    /// changed since it was read stays due.
    package func record(_ files: [PageFiles], ofPack pack: String) async throws {
        guard !files.isEmpty else { return }
        try await database.write { try Self.record(files, ofPack: pack, in: $0) }
    }

    private static func record(_ files: [PageFiles], ofPack pack: String, in database: Database) throws {
        for file in files {
            let page = file.page
            guard let record = try Self.page(at: page.first, ofPack: pack, in: database) else { continue }
            for old in record.files { try withdraw(old, ofPack: pack, in: database) }
            try database.execute(
                cached: """
                    UPDATE page SET written = ?, listed = ?, bytes = ?, modified = ?, sha256 = ?,
                        scriptBytes = ?, scriptModified = ?, scriptSha256 = ?
                    WHERE pack = ? AND first = ?
                    """,
                arguments: [
                    page.revision, page.stickers, file.index.bytes, file.index.modified, file.index.sha256,
                    file.script?.bytes, file.script?.modified, file.script?.sha256, pack, page.first,
                ])
            // They may have been found there unrecorded, after a crash.
            for (kind, _) in file.all {
                try database.execute(
                    cached: "DELETE FROM withdrawn WHERE pack = ? AND file = ?", arguments: [pack, page.file(kind)])
            }
        }
    }

    /// The recorded files of a pack's pages, in the order of the pack.
    package func pageFiles(ofPack pack: String) async throws -> [PageFiles] {
        try await database.read { database in
            try PageRecord.fetchAll(
                database, sql: "SELECT * FROM page WHERE pack = ? ORDER BY first", arguments: [pack]
            ).compactMap(PageFiles.init)
        }
    }

    /// What a pack's next index lists, and the files of pages that may be removed once it is written.
    package struct PackListing: Sendable {
        /// The pages that have files, in the order of the pack; nil if it is not divided.
        package let pages: [PackPage]?
        /// All stickers of a pack that is not divided, which is small; otherwise the first one.
        package let stickers: [PackSticker]
        /// Former files of pages, which this index does not list; relative to the pack's folder.
        package let formerFiles: [String]
    }

    /// Records `files`, then returns the pages and stickers for the pack's next index, in one transaction.
    ///
    /// - Parameters:
    ///   - pack: the pack whose pages were written before.
    ///   - isDivided: as `arrangePages` returned.
    ///   - files: as `record` takes them.
    package func listing(
        ofPack pack: String, isDivided: Bool, recording files: [PageFiles] = []
    ) async throws -> PackListing {
        guard !files.isEmpty else {
            return try await database.read { try Self.listing(ofPack: pack, isDivided: isDivided, in: $0) }
        }
        return try await database.write { database in
            try Self.record(files, ofPack: pack, in: database)
            return try Self.listing(ofPack: pack, isDivided: isDivided, in: database)
        }
    }

    private static func listing(ofPack pack: String, isDivided: Bool, in database: Database) throws -> PackListing {
        PackListing(
            pages: isDivided ? try writtenPages(ofPack: pack, in: database) : nil,
            stickers: try stickers(ofPack: pack, after: .start, limit: isDivided ? 1 : .max, in: database),
            // The names that begin with the folder's, found by the primary key: '0' follows '/'.
            formerFiles: try String.fetchAll(
                database,
                cached: """
                    SELECT file FROM withdrawn WHERE pack = :pack AND file > :folder || '/' AND file < :folder || '0'
                    """, arguments: ["pack": pack, "folder": PackPage.folder]))
    }

    private static func writtenPages(ofPack pack: String, in database: Database) throws -> [PackPage] {
        try WrittenPage.fetchAll(
            database,
            cached: "SELECT number, written, listed, first FROM page WHERE pack = ? AND written >= 0 ORDER BY first",
            arguments: [pack]
        ).map(\.page)
    }

    /// Corrects the record after a look at the files of a pack's pages.
    ///
    /// - Parameters:
    ///   - pack: the pack with these pages.
    ///   - damaged: pages whose files are missing or have other contents: they are written again.
    ///   - unknown: names of files that belong to no page. They are to be removed, and no page will get their names.
    package func correctPages(ofPack pack: String, damaged: [PackPage], unknown: [String]) async throws {
        guard !damaged.isEmpty || !unknown.isEmpty else { return }
        try await database.write { database in
            for page in damaged {
                try database.execute(
                    sql: "UPDATE page SET written = -1 WHERE pack = ? AND first = ?", arguments: [pack, page.first])
            }
            let found = unknown.compactMap { name in PackPage.parse(name: name).map { (name, $0.number, $0.revision) } }
            guard let highest = found.map(\.1).max() else { return }
            for (name, _, _) in found {
                try Self.withdraw("\(PackPage.folder)/\(name)", ofPack: pack, in: database)
            }
            try database.execute(
                sql: "UPDATE pack SET lastPage = MAX(lastPage, ?) WHERE name = ?", arguments: [highest, pack])
            let revisions = Dictionary(found.map { ($0.1, $0.2) }) { max($0, $1) }
            let pages = try PageRecord.fetchAll(
                database, sql: "SELECT * FROM page WHERE pack = ? ORDER BY first", arguments: [pack])
            for page in pages {
                guard let revision = revisions[page.number], revision >= page.version else { continue }
                try database.execute(
                    sql: "UPDATE page SET version = ? WHERE pack = ? AND first = ?",
                    arguments: [revision + 1, pack, page.first])
            }
        }
    }

    static func page(at first: Int64, ofPack pack: String, in database: Database) throws -> PageRecord? {
        try PageRecord.fetchOne(
            database, cached: "SELECT * FROM page WHERE pack = ? AND first = ?", arguments: [pack, first])
    }

    /// Has a file removed from the outbox once the index without it is written.
    static func withdraw(_ file: String, ofPack pack: String, in database: Database) throws {
        try database.execute(cached: "INSERT OR IGNORE INTO withdrawn VALUES (?, ?)", arguments: [pack, file])
    }
}

/// A row of `page`, read without a `DatabaseValue` for each column: a pack may have a thousand pages, and these values would
/// take most of the time for its index.
private struct WrittenPage: DatabaseValueConvertible, StatementColumnConvertible {
    let page: PackPage

    /// Reads all columns of the row: number, revision, stickers, first arrival.
    init?(sqliteStatement statement: SQLiteStatement, index: CInt) {
        // The whole row is one value, so it starts at the first column.
        assert(index == 0)
        func number(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
        page = PackPage(
            number: Int(number(0)), revision: Int(number(1)), stickers: Int(number(2)), first: number(3))
    }

    // Not stored.
    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> WrittenPage? { nil }
}
