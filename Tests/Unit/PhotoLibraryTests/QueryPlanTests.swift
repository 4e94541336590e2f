import Foundation
import GRDB
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("Query plans of the Library", .timeLimit(.minutes(1)))
struct QueryPlanTests {
    /// Tables whose size does not depend on the number of photos, and names that are not tables.
    private static let small: Set<String> = [
        "meta", "tally", "stickerTally", "packTally", "packStickers", "pack", "recipe", "inboxPlace", "key",
        "CONSTANT", "json_each", "member", "known", "waiting",
    ]
    /// Partial indexes with at most a few rows for each worker.
    private static let bounded = ["fileInHand", "attemptOpen"]
    /// Columns whose values many rows share: a search by these alone reads a large part of a table.
    private static let coarse: Set<String> = ["pack", "state", "folder", "device", "due", "finished", "arrival"]

    /// A scan that may stay, by a part of its statement, and the reason.
    private static let exceptions: [(part: String, reason: String)] = [
        // In the order of an index, up to a limit.
        ("FROM suspect CROSS JOIN file", "photos that stopped a worker are few, and end at the third time"),
        ("AND arrival <= :turn", "in the order of the queue; passes over those that are held"),
        ("ORDER BY tried, file LIMIT", "in the order of the index; passes over those tried since a moment ago"),
        ("AND published AND (arrival, ordinal, id) >", "goes on where the last page ended"),
        ("ORDER BY arrival LIMIT ?", "the first few of a pack, in the order of a partial index"),
        ("INDEXED BY paletteDue", "a batch of what is due, which is not due after it"),
        ("INDEXED BY paletteUnwanted", "a batch of what is due, which is not due after it"),
        ("WHERE published ORDER BY id DESC LIMIT", "stops at the limit; few stickers are not published"),
        ("DELETE FROM original WHERE (file, arrival) IN", "a batch, the oldest first, which is gone after it"),
        ("WITH RECURSIVE known", "one step in the index for each folder"),
        // Every row read is in the result.
        ("(SELECT id FROM file WHERE folder = ? AND leftAt IS NULL)", "originals of one folder that cannot be emptied"),
        ("WHERE folder = ? AND leftAt IS NULL", "the files of one folder"),
        ("FROM withdrawn WHERE pack = ?", "files to be removed now"),
        ("SELECT file, bytes, sha256, added FROM sticker", "a pack's archive lists all stickers"),
        ("SELECT file FROM sticker WHERE pack = ?", "the audit, once at the start"),
        ("SELECT path FROM file WHERE state = 'failed'", "`stickerd retry` without a name, a command of a person's"),
        ("INSERT INTO pack (name", "the foreign key: stickers of the new pack, of which there are none yet"),
        // Reads all rows, but rarely runs.
        ("leftAt IS NULL ORDER BY arrival DESC", "only where the inbox is another folder than before"),
        ("UPDATE file SET device = ?", "only where the inbox is another folder, or its disk has another number"),
        ("UPDATE original SET device = ?", "only where the inbox's disk has another number"),
        ("UPDATE palette SET due = 1", "only where the settings of palettes changed: all are written again"),
        ("WHERE (state IN ('done', 'duplicate') AND EXISTS", "`stickerd remake`: all stickers"),
        ("SELECT * FROM sticker ORDER BY pack", "`stickerd verify` reads everything"),
        ("SELECT pack, file FROM withdrawn", "`stickerd verify` reads everything"),
        ("SELECT file.*, decided IS NOT NULL", "`stickerd verify` reads everything"),
        ("SELECT path FROM file WHERE state = 'done'", "`stickerd verify` reads everything"),
    ]

    @Test("No statement scans a table that grows with the photos, except those listed with a reason")
    func plans() throws {
        let folder = try TemporaryFolder()
        _ = try PhotoLibrary(in: folder.path, outbox: "/outbox")
        let database = try DatabaseQueue(path: folder["library.sqlite"].string)
        let statements = try LibraryStatements()
        #expect(statements.all.count > 80)
        #expect(statements.unresolved == [], "their plans cannot be checked")
        try database.read { database in
            var used: Set<String> = []
            let triggers = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
            for sql in statements.all + triggers.flatMap(LibraryStatements.body) {
                let scans = try Self.plan(of: sql, in: database).filter(Self.isScan)
                guard !scans.isEmpty else { continue }
                let exception = Self.exceptions.first { sql.contains($0.part) }
                if let exception { used.insert(exception.part) }
                if exception == nil { Issue.record("\(scans.joined(separator: "; ")) in: \(sql)") }
            }
            #expect(Self.exceptions.map(\.part).filter { !used.contains($0) } == [], "exceptions without a scan")
        }
    }

    private static func plan(of sql: String, in database: Database) throws -> [String] {
        let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
        // The plan does not depend on the values.
        statement.setUncheckedArguments(StatementArguments())
        return try Row.fetchAll(statement).map { $0["detail"] }
    }

    private static func isScan(_ line: String) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 1, !small.contains(words[1]), !bounded.contains(where: { words.contains($0) }) else {
            return false
        }
        // What a subquery reads has a line of its own.
        if words[0] == "SCAN" { return !words[1].hasPrefix("(") }
        guard words[0] == "SEARCH" else { return false }
        let columns = line.matches(of: #/(\w+)(?:=|<|>)\?/#).map { String($0.1) }
        // A search without a column finds the least or the greatest value.
        return !columns.isEmpty && columns.allSatisfy { coarse.contains($0) }
    }
}
