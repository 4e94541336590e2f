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
        "CONSTANT", "json_each", "member", "known", "waiting", "packs", "touched", "other", "changedPack", "shown",
    ]
    /// Partial indexes with a few rows per worker at most.
    private static let bounded = ["fileInHand", "attemptOpen"]
    /// Columns with few distinct values: a search by these alone reads a large part of a table.
    private static let coarse: Set<String> = [
        "pack", "state", "folder", "device", "due", "finished", "arrival", "recipe",
    ]

    /// Allowed scans: a part of the statement with its semicolon, and the reason.
    private static let exceptions: [(part: String, reason: String)] = [
        // These read in the order of an index, up to a limit.
        ("ORDER BY arrival LIMIT :limit", "in the order of the queue; skips held files"),
        ("INDEXED BY pageDue", "due pages, which are no longer due after that"),
        ("stickers, first FROM page WHERE pack = ? ORDER BY first", "only if a pack is not divided any more"),
        ("SET written = -1 WHERE pack = ? AND number = ?", "a page's file was lost: there is one for 100 stickers"),
        ("AND written >= 0 ORDER BY first", "a pack's index lists all pages: one for 100 stickers"),
        ("AND published AND arrival", "the stickers of one page, or up to a limit"),
        ("UPDATE page SET version = version + 1;", "only if the settings of indexes changed: all are rewritten"),
        ("ORDER BY tried, original.file LIMIT", "in the order of the index; skips those just tried"),
        ("ORDER BY arrival LIMIT ?", "the first few of a pack, in the order of a partial index"),
        ("WHERE state = 'pending' ORDER BY arrival LIMIT 1", "the first, in the order of a partial index"),
        ("INDEXED BY paletteDue", "a batch of due rows, which are no longer due after it"),
        ("INDEXED BY ledgerUnwanted", "a batch of rows, which are deleted after it"),
        ("SELECT coalesce(? || thumbnail", "the first of each pack, in the order of the index"),
        ("WHERE published ORDER BY id DESC LIMIT", "stops at the limit; few stickers are not published"),
        ("DELETE FROM original WHERE (file, arrival) IN", "a batch of the oldest rows, which are deleted"),
        ("WITH RECURSIVE known", "one index step per folder"),
        ("WHERE state = 'failed' ORDER BY pack, file.arrival LIMIT", "the first few, in the order of a partial index"),
        ("stateSince AS time FROM file ORDER BY", "the last files and attempts, up to a limit"),
        ("SELECT path, modified FROM file ORDER BY", "the last files, up to a limit"),
        ("ORDER BY stateSince DESC LIMIT ?", "all that failed, once for stickerd doctor"),
        // These return every row that they read.
        ("(SELECT id FROM file WHERE folder = ? AND leftAt IS NULL)", "originals of one folder that cannot be emptied"),
        ("WHERE folder = ? AND leftAt IS NULL", "the files of one folder"),
        ("FROM withdrawn WHERE pack = ?", "files about to be removed"),
        ("INDEXED BY fileForbidden", "the files of one folder that cannot be read"),
        ("INDEXED BY stickerUnlisted", "stickers that the next index lists"),
        ("SELECT photo, ordinal, file FROM removed WHERE pack = ?", "a pack's index lists all removed stickers"),
        ("FROM sticker WHERE pack = ? AND published ORDER BY arrival DESC", "a pack's archive lists all stickers"),
        ("FROM sticker WHERE pack = ? AND published AND listed", "an export shows all stickers of its pack"),
        ("AND published ORDER BY arrival, ordinal, id LIMIT ?", "a pack that is not divided, up to a limit"),
        ("SELECT file, bytes, modified FROM sticker WHERE pack = ? AND published", "the audit, once at the start"),
        ("WHERE state = 'failed' ORDER BY arrival;", "`stickerd retry` without a name: a rare command"),
        // These read all rows, but rarely run.
        ("leftAt IS NULL ORDER BY arrival DESC", "only if the inbox is another folder than before"),
        ("WHERE photo IS NULL AND leftAt IS NULL", "only if the inbox is another folder than before"),
        ("DELETE FROM original WHERE finished IS NULL;", "only if the inbox is another folder than before"),
        ("WHERE id = original.file AND superseded)", "those that wait, only if originals.mode has changed"),
        ("UPDATE original SET begun = 1 WHERE finished IS NULL AND action", "those that wait, only at the start"),
        ("FROM undecided", "a batch of rows, which are deleted after it"),
        ("UPDATE file SET device = ?", "only if the inbox is another folder, or its disk has another number"),
        ("SELECT COUNT(*) FROM (SELECT DISTINCT photo, pack FROM sticker", "a remake, which may take all stickers"),
        ("UPDATE original SET device = ?", "only if the inbox's disk has another number"),
        ("AND target > ? AND target < ?", "in the order of the index; only if an archive has another disk"),
        ("UPDATE palette SET due = due + 1;", "only if the palettes' settings changed: all are rewritten"),
        ("SELECT MIN(arrival) FROM sticker WHERE pack", "only to take over an outbox"),
        ("WHERE (state IN ('done', 'duplicate', 'failed') AND EXISTS", "`stickerd remake`: all stickers"),
        ("INDEXED BY stickerByRecipe", "counts all of them: at the start and for `stickerd status`"),
        ("WHERE pack = ? AND NOT published", "an audit, which looks for every sticker of the pack"),
        ("AND published AND thumbnail IS NULL", "an audit, which looks for every thumbnail of the pack"),
        ("SELECT * FROM sticker ORDER BY pack", "`stickerd verify` reads everything"),
        ("SELECT * FROM ledger ORDER BY pack", "`stickerd verify` reads everything"),
        ("SELECT pack, file FROM withdrawn", "`stickerd verify` reads everything"),
        ("SELECT file.*, decided IS NOT NULL", "`stickerd verify` reads everything"),
        ("AS colors FROM palette", "`stickerd verify` reads everything"),
        ("WHERE published AND ordinal = 0 AND recipe <> ?", "`stickerd verify` reads everything"),
    ]

    @Test("No statement scans a table that grows with the photos, except those listed with a reason")
    func plans() throws {
        let folder = TemporaryFolder()
        _ = try Library(in: folder.path, outbox: "/outbox")
        let database = try DatabaseQueue(path: folder["library/library.sqlite"].string)
        let statements = try LibraryStatements()
        #expect(statements.all.count > 80)
        #expect(statements.unresolved == [], "their plans cannot be checked")
        try database.read { database in
            var used: Set<String> = []
            let triggers = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
            for sql in statements.all + triggers.flatMap(LibraryStatements.body) {
                let scans = try Self.plan(of: sql, in: database).filter(Self.isScan)
                guard !scans.isEmpty else { continue }
                let exception = Self.exceptions.first { "\(sql);".contains($0.part) }
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
        // A subquery has its own line.
        if words[0] == "SCAN" { return !words[1].hasPrefix("(") }
        guard words[0] == "SEARCH" else { return false }
        let columns = line.matches(of: #/(\w+)(?:=|<|>)\?/#).map { String($0.1) }
        // A search without a column finds the minimum or maximum.
        return !columns.isEmpty && columns.allSatisfy { coarse.contains($0) }
    }
}
