package import FileNames
package import GRDB
package import LinuxIO
import OutboxLayout
package import PhotoLibrary
import SQLiteDatabase

/// A part of a pack's folder whose files are planned together.
package struct LedgerPart: Hashable, Sendable {
    package let name: String

    /// The list of packs, in the root pack.
    package static let packs = LedgerPart(name: "packs")
    /// `pack.json`.
    package static let index = LedgerPart(name: "index")
    /// The gallery's page and its script.
    package static let page = LedgerPart(name: "page")
    /// The ZIP.
    package static let archive = LedgerPart(name: "archive")

    /// An export, by its name; '' for what is about all of them.
    package static func export(_ name: String) -> LedgerPart { LedgerPart(name: "exports/" + name) }

    /// A page of the index, by its number.
    package static func page(_ number: Int) -> LedgerPart { LedgerPart(name: "pages/\(number)") }

    /// What an earlier Library left, to be removed.
    static let remains = LedgerPart(name: "remains")

    /// The palettes of a photo, given by its SHA-256 in lowercase hexadecimal.
    package static func palettes(of photo: String) -> LedgerPart { LedgerPart(name: "palettes/" + photo) }
}

/// A derived file in the outbox, as it was written.
package struct LedgerEntry: FetchableRecord, Sendable, Equatable {
    /// Relative to the pack's folder.
    package let file: String
    /// Identifies the contents.
    package let key: String
    /// As written; nil if the file is about to be written, or is not as it was written.
    package let stamp: FileStamp?
    /// Whether a plan leaves the file as it is. Its loss may be recorded since the row was read, so the row stays.
    private(set) var isKept = false

    /// The same for a plan that leaves the file as it is.
    package var kept: LedgerEntry {
        var kept = self
        kept.isKept = true
        return kept
    }

    package init(file: String, key: String, stamp: FileStamp? = nil) {
        self.file = file
        self.key = key
        self.stamp = stamp
    }

    /// From a row of `ledger`.
    package init(row: Row) {
        let (bytes, modified): (Int64?, Int64?) = (row["bytes"], row["modified"])
        self.init(
            file: row["file"], key: row["key"],
            stamp: bytes.flatMap { bytes in modified.map { FileStamp(bytes: bytes, modified: $0) } })
    }
}

/// The ledger: what stickerd wrote into the outbox, besides stickers and their thumbnails. Only one caller at a time
/// may work on a pack's files.
extension Library {
    /// The files of parts of a pack that are not to be removed.
    package func ledger(ofPack pack: String, _ parts: [LedgerPart]) async throws -> [LedgerPart: [LedgerEntry]] {
        try await database.read { database in
            try Dictionary(
                parts.map { part in
                    let entries = try LedgerEntry.fetchAll(
                        database,
                        // INDEXED BY: otherwise SQLite reads all files of the pack.
                        cached: """
                            SELECT file, key, bytes, modified FROM ledger INDEXED BY ledgerByPart
                            WHERE pack = ? AND part = ? AND NOT unwanted
                            """, arguments: [pack, part.name])
                    return (part, entries)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Records files of parts of a pack, those without a stamp before they are written. With `isWhole`, the parts'
    /// other files are to be removed. `gone` are files that the caller has removed, and that are forgotten.
    package func record(
        _ entries: [LedgerPart: [LedgerEntry]], ofPack pack: String, isWhole: Bool, without gone: [String] = []
    ) async throws {
        guard !entries.isEmpty || !gone.isEmpty else { return }
        try await database.write { database in
            try Self.record(entries, ofPack: pack, isWhole: isWhole, in: database)
            for file in gone {
                try database.execute(cached: "DELETE FROM ledger WHERE pack = ? AND file = ?", arguments: [pack, file])
            }
        }
    }

    static func record(
        _ entries: [LedgerPart: [LedgerEntry]], ofPack pack: String, isWhole: Bool, in database: Database
    ) throws {
        for (part, entries) in entries {
            if isWhole {
                try database.execute(
                    cached: "UPDATE ledger INDEXED BY ledgerByPart SET unwanted = 1 WHERE pack = ? AND part = ?",
                    arguments: [pack, part.name])
            }
            for entry in entries where entry.isKept {
                try database.execute(
                    cached: "UPDATE ledger SET unwanted = 0 WHERE pack = ? AND file = ?", arguments: [pack, entry.file])
            }
            for entry in entries where !entry.isKept {
                try database.execute(
                    cached: """
                        INSERT INTO ledger (pack, file, part, key, bytes, modified) VALUES (?, ?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET part = excluded.part, key = excluded.key, bytes = excluded.bytes,
                            modified = excluded.modified, unwanted = 0
                        """,
                    arguments: [pack, entry.file, part.name, entry.key, entry.stamp?.bytes, entry.stamp?.modified])
            }
        }
    }

    /// Has the palettes of all photos of a pack removed.
    package func withdrawPalettes(ofPack pack: String) async throws {
        let hasSome = try await database.read { database in
            try database.hasRow(
                // '0' follows '/'.
                cached: """
                    SELECT 1 FROM ledger INDEXED BY ledgerByPart
                    WHERE pack = ? AND part > 'palettes/' AND part < 'palettes0' AND NOT unwanted LIMIT 1
                    """, arguments: [pack])
        }
        guard hasSome else { return }
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE ledger INDEXED BY ledgerByPart SET unwanted = 1
                    WHERE pack = ? AND part > 'palettes/' AND part < 'palettes0'
                    """,
                arguments: [pack])
        }
    }

    /// The next files of a pack in the order of their names, wanted or not, whose paths have this prefix.
    package func ledger(
        ofPack pack: String, after file: String, limit: Int, prefix: String = ""
    ) async throws -> [LedgerEntry] {
        try await database.read { database in
            try LedgerEntry.fetchAll(
                database,
                // No path has the last character of Unicode.
                cached: """
                    SELECT file, key, bytes, modified FROM ledger WHERE pack = ? AND file > ? AND file < ?
                    ORDER BY file LIMIT ?
                    """, arguments: [pack, max(file, prefix), prefix + "\u{10FFFF}", limit])
        }
    }

    /// Those of a pack's files that have these names.
    package func ledger(ofPack pack: String, among files: Set<ExactName>) async throws -> [LedgerEntry] {
        try await database.read { database in
            try files.compactMap { file in
                try LedgerEntry.fetchOne(
                    database, cached: "SELECT file, key, bytes, modified FROM ledger WHERE pack = ? AND file = ?",
                    arguments: [pack, file.text])
            }
        }
    }

    /// Records files of an earlier Library, which are removed if no plan has them. No page gets the number of one of
    /// them.
    package func recordRemains(_ files: [String], ofPack pack: String) async throws {
        try await database.write { database in
            for file in files {
                try database.execute(
                    cached: """
                        INSERT INTO ledger (pack, file, part, key, unwanted) VALUES (?, ?, ?, '', 1) ON CONFLICT DO NOTHING
                        """, arguments: [pack, file, LedgerPart.remains.name])
                guard let (page, _) = PageName.parse(file) else { continue }
                try database.execute(
                    cached: "UPDATE pack SET lastPage = MAX(lastPage, ?) WHERE name = ?",
                    arguments: [page.number, pack])
            }
        }
    }

    /// Those of a pack's files that are to be removed, at most `limit`.
    package func unwanted(ofPack pack: String, limit: Int) async throws -> [LedgerEntry] {
        try await database.read { database in
            try LedgerEntry.fetchAll(
                database,
                cached: """
                    SELECT file, key, bytes, modified FROM ledger INDEXED BY ledgerUnwanted
                    WHERE pack = ? AND unwanted LIMIT ?
                    """, arguments: [pack, limit])
        }
    }

    /// Forgets files that were removed, or that others have replaced.
    package func forget(files: [String], ofPack pack: String) async throws {
        try await database.write { database in
            for file in files {
                try database.execute(
                    cached: "DELETE FROM ledger WHERE pack = ? AND file = ? AND unwanted", arguments: [pack, file])
            }
        }
    }

    /// Forgets all files of parts of a pack.
    package func forget(_ parts: [LedgerPart], ofPack pack: String) async throws {
        let known = try await ledger(ofPack: pack, parts).filter { !$0.value.isEmpty }.keys
        guard !known.isEmpty else { return }
        try await database.write { database in
            for part in known {
                try database.execute(
                    cached: "DELETE FROM ledger INDEXED BY ledgerByPart WHERE pack = ? AND part = ?",
                    arguments: [pack, part.name])
            }
        }
    }

    /// Records that files are not as they were written, so that they are written again. `files` are the rows that were
    /// compared: one that was written since then stays as it is. Those to be removed keep their stamps: what others put
    /// in their place stays.
    package func recordLoss(of files: [LedgerEntry], ofPack pack: String) async throws {
        guard !files.isEmpty else { return }
        try await database.write { database in
            for file in files {
                let part = try String.fetchOne(
                    database,
                    cached: """
                        UPDATE ledger SET bytes = NULL, modified = NULL
                        WHERE pack = ? AND file = ? AND NOT unwanted AND bytes IS ? AND modified IS ? RETURNING part
                        """, arguments: [pack, file.file, file.stamp?.bytes, file.stamp?.modified])
                let name = (part ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                guard name.count == 2 else { continue }
                switch name[0] {
                case "palettes":
                    try database.execute(
                        cached: "UPDATE palette SET due = due + 1 WHERE pack = ? AND photo = ?",
                        arguments: [pack, String(name[1])])
                case "pages":
                    try database.execute(
                        cached: "UPDATE page SET written = -1 WHERE pack = ? AND number = ?",
                        arguments: [pack, Int(name[1])])
                case "exports":
                    try database.execute(cached: "UPDATE pack SET exported = '' WHERE name = ?", arguments: [pack])
                default: break
                }
            }
        }
        giveBack(changedPacks: [ExactName(pack)])
    }
}
