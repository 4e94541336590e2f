import GRDB

/// Which pages of the packs' indexes have changed, and which files they have. Only one caller at a time may work on a
/// pack's pages.
extension PhotoLibrary {
    /// A page's file as it was written.
    package struct PageFile: Sendable {
        package let page: PackPage
        package let bytes: Int
        /// Nanoseconds since 1970.
        package let modified: Int64
        /// Of the file, lowercase hexadecimal.
        package let sha256: String

        package init(_ page: PackPage, bytes: Int, modified: Int64, sha256: String) {
            self.page = page
            self.bytes = bytes
            self.modified = modified
            self.sha256 = sha256
        }

        init?(_ record: PageRecord) {
            guard let page = record.inFile else { return nil }
            self.init(page, bytes: record.bytes, modified: record.modified, sha256: record.sha256)
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

    /// The next page whose file is out of date or missing, with its stickers; nil if there is none after `last`.
    package func nextDuePage(
        ofPack pack: String, after last: PackPage?
    ) async throws -> (page: PackPage, stickers: [PackSticker])? {
        try await database.read { database in
            let due = """
                SELECT * FROM page INDEXED BY pageDue WHERE pack = ? AND first >= ? AND written <> version
                ORDER BY first LIMIT 2
                """
            let records = try PageRecord.fetchAll(database, sql: due, arguments: [pack, last?.first ?? .min])
            guard let record = records.first(where: { $0.first != last?.first }) else { return nil }
            let end = try Int64.fetchOne(
                database, sql: "SELECT MIN(first) FROM page WHERE pack = ? AND first > ?",
                arguments: [pack, record.first])
            let stickers = try Row.fetchAll(
                database,
                sql: """
                    SELECT sticker.*, result.colors, result.subjectColors FROM sticker
                    LEFT JOIN result ON result.photo = sticker.photo AND result.recipe = sticker.recipe
                    WHERE pack = ? AND published AND arrival >= ? AND arrival < ? ORDER BY arrival, ordinal, id
                    """, arguments: [pack, record.first, end ?? .max]
            ).map(PackSticker.init)
            let page = PackPage(
                number: record.number, revision: record.version, stickers: stickers.count, first: record.first)
            return (page, stickers)
        }
    }

    /// Records files of pages; their former files are to be removed from the outbox (`withdrawnFiles`). A page that has
    /// changed since it was read stays due.
    package func record(_ files: [PageFile], ofPack pack: String) async throws {
        guard !files.isEmpty else { return }
        try await database.write { database in
            for file in files {
                let page = file.page
                guard let record = try Self.page(at: page.first, ofPack: pack, in: database) else { continue }
                if let old = record.inFile, old.file != page.file {
                    try Self.withdraw(old.file, ofPack: pack, in: database)
                }
                try database.execute(
                    sql: """
                        UPDATE page SET written = ?, listed = ?, bytes = ?, modified = ?, sha256 = ?
                        WHERE pack = ? AND first = ?
                        """,
                    arguments: [
                        page.revision, page.stickers, file.bytes, file.modified, file.sha256, pack, page.first,
                    ])
                // It may have been found there unrecorded, after a crash.
                try database.execute(
                    sql: "DELETE FROM withdrawn WHERE pack = ? AND file = ?", arguments: [pack, page.file])
            }
        }
    }

    /// The recorded files of a pack's pages, in the order of the pack.
    package func pageFiles(ofPack pack: String) async throws -> [PageFile] {
        try await database.read { database in
            try PageRecord.fetchAll(
                database, sql: "SELECT * FROM page WHERE pack = ? ORDER BY first", arguments: [pack]
            ).compactMap(PageFile.init)
        }
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
            database, sql: "SELECT * FROM page WHERE pack = ? AND first = ?", arguments: [pack, first])
    }

    /// Has a file removed from the outbox once the index without it is written.
    static func withdraw(_ file: String, ofPack pack: String, in database: Database) throws {
        try database.execute(sql: "INSERT OR IGNORE INTO withdrawn VALUES (?, ?)", arguments: [pack, file])
    }
}
