import FileNames
import OutboxLayout
import Foundation
import GRDB
import LinuxIO
import PackLedger
import Packs
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import SystemPackage
import Testing
import TestSupport

/// What is written after a change must be what is written if everything is due: then the changed pages and palettes
/// were marked, and the keys of all other files have changed with their bytes.
@Suite("Plan, keys and marks", .timeLimit(.minutes(5)))
struct PlanTests {
    private static let sizes = PageSizes(maxUndivided: 3, maxStickers: 2)
    private static let settings = PackSettings(
        name: "Stickers", identifier: "stickers", publisher: "me", emoji: ["🐈"].compactMap { Emoji($0) }, colorCount: 5,
        paletteFormats: [.css], gallery: .init(maxArchiveBytes: 0))

    /// A pack of five stickers on pages, one of two, and photos without a sticker in both.
    private static func fill(_ folder: TemporaryFolder) async throws {
        let fixture = try PipelineFixture(in: folder)
        let packs = PackFixture(fixture)
        for pack in ["Big/", ""] {
            try await packs.make((1...(pack.isEmpty ? 2 : 5)).map { "\(pack)\($0).png" })
            for name in ["wall", "text"] {
                try await fixture.arrive("\(pack)\(name).png")
                let claim = try #require(try await fixture.library.claim(limit: 1).first)
                let photo = try ContentDigest.sha256(of: Array(claim.path.description.utf8)).hex
                _ = try await fixture.library.resolve(claim, photo: photo)
                let facts = PhotoFacts(format: .png, width: 9, height: 9, confidence: 0.1, colors: PackFixture.red)
                let wall = Ending.noSubject(
                    .init(photo: photo, facts: facts, recipe: "r"), stems: OutboxName.stems(stem: name, photo: photo))
                let ending = name == "wall" ? wall : .failed(reason: "no photo", recipe: "r")
                try await fixture.library.finish(claim, as: ending)
            }
        }
    }

    /// Returns the packs that were marked before.
    @discardableResult
    private static func write(
        in folder: TemporaryFolder, _ settings: PackSettings = settings
    ) async throws -> Set<ExactName> {
        let fixture = try PipelineFixture(in: folder)
        // Any write collects them.
        try await fixture.library.recordSettingsFile(nil)
        let packs = fixture.library.takeChangedPacks()
        let writer = PackWriter(
            library: fixture.library, outbox: fixture.outbox, settings: settings, conditions: fixture.conditions,
            pageSizes: sizes, logger: fixture.logger)
        writer.stop()
        try await writer.run()
        try fixture.library.close()
        return packs
    }

    private static func open(_ folder: TemporaryFolder) throws -> DatabaseQueue {
        try DatabaseQueue(path: folder["state/library/library.sqlite"].string)
    }

    /// Number and date of an index are no part of its key.
    private static func withoutRevision(_ file: Data) -> String {
        String(decoding: file, as: UTF8.self).replacing(#/"revision":\d+,"updated":"[^"]*"/#, with: "")
    }

    /// The derived files, by path.
    private static func files(_ folder: TemporaryFolder) throws -> [String: String] {
        let outbox = folder["outbox"].string
        let names = try FileManager.default.subpathsOfDirectory(atPath: outbox).filter {
            !$0.hasSuffix(".png") && !$0.contains(OutboxMarker.fileName)
        }
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: "\(outbox)/\(name)").map { (name, withoutRevision($0)) }
            })
    }

    /// What there was, what is written after a change, and what is written if everything is due.
    private struct Outcome {
        /// The packs that the change marked.
        let packs: Set<ExactName>
        let before: [String: String]
        let marked: [String: String]
        let whole: [String: String]

        /// What a change left as it was, although it depends on it.
        var stale: Set<String> { Set(marked.keys).union(whole.keys).filter { marked[$0] != whole[$0] } }

        /// Files that change with a pack that was not marked. Those of the list of packs are looked at after each
        /// write.
        var forgotten: Set<String> {
            Set(before.keys).union(whole.keys).filter { name in
                before[name] != whole[name] && !name.hasPrefix("packs") && name != "stickers.json"
                    && !packs.contains(ExactName(name.hasPrefix("Big/") ? "Big" : ""))
            }
        }
    }

    /// - Parameter change: of a filled Library; returns false if it changes nothing.
    private static func outcome(
        of base: TemporaryFolder, _ settings: PackSettings = settings,
        after change: @escaping @Sendable (Database) throws -> Bool = { _ in true }
    ) async throws -> Outcome? {
        let folder = TemporaryFolder()
        // With the times of the files, which are in the ledger.
        let copy = try Process.run(
            URL(fileURLWithPath: "/bin/cp"), arguments: ["-a", "\(base.path)/.", folder.path.string])
        copy.waitUntilExit()
        let before = try files(folder)
        let database = try open(folder)
        let isChanged = try await database.write { try change($0) }
        try database.close()
        guard isChanged else { return nil }
        let packs = try await write(in: folder, settings)
        let marked = try files(folder)
        let again = try open(folder)
        try await again.write { database in
            try database.execute(
                sql: "DELETE FROM ledger; UPDATE page SET written = -1; UPDATE palette SET due = due + 1")
        }
        try again.close()
        // The number of an index is taken from the file.
        for name in marked.keys where !name.hasSuffix("pack.json") { try? folder.remove("outbox/\(name)") }
        try await write(in: folder, settings)
        return Outcome(packs: packs, before: before, marked: marked, whole: try files(folder))
    }

    private static func filled() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try await fill(folder)
        try await write(in: folder)
        return folder
    }

    /// Of each table, which rows belong to a pack.
    private static let tables = [
        "sticker": "pack = :pack", "palette": "pack = :pack", "file": "pack = :pack", "pack": "name = :pack",
        "result": "photo IN (SELECT photo FROM file WHERE pack = :pack)",
        "photo": "sha256 IN (SELECT photo FROM file WHERE pack = :pack)",
    ]

    /// Changes a column of one of a pack's rows to another valid value, or deletes the row. Returns false if the schema
    /// allows none.
    private static func change(
        _ column: String, of table: String, inPack pack: String, row: Int, in database: Database
    ) throws -> Bool {
        let rows = "\(table) WHERE \(tables[table] ?? "")"
        if column == rowItself {
            let one = "SELECT rowid FROM \(rows) LIMIT 1 OFFSET :row"
            try database.execute(
                sql: "DELETE FROM \(table) WHERE rowid = (\(one))", arguments: ["pack": pack, "row": row])
            return true
        }
        let old = try DatabaseValue.fetchOne(
            database, sql: "SELECT \(column) FROM \(rows) LIMIT 1 OFFSET :row", arguments: ["pack": pack, "row": row])
        guard let old else { return false }
        let other = try DatabaseValue.fetchOne(
            database, sql: "SELECT \(column) FROM \(table) WHERE \(column) IS NOT ? LIMIT 1", arguments: [old])
        let keys = try database.primaryKey(table).columns.joined(separator: ", ")
        for value in [other, new(old)].compactMap(\.self) {
            do {
                try database.execute(
                    sql: """
                        UPDATE \(table) SET \(column) = :value
                        WHERE (\(keys)) IN (SELECT \(keys) FROM \(rows) LIMIT 1 OFFSET :row)
                        """, arguments: ["value": value, "pack": pack, "row": row])
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                continue
            }
        }
        return false
    }

    private static let rowItself = "DELETE"

    private static func new(_ old: DatabaseValue) -> DatabaseValue {
        switch old.storage {
        case .int64(let number): (number == 1 ? 0 : number + 1).databaseValue
        case .double(let number): (number / 2).databaseValue
        case .string(let text): "\(text)x".databaseValue
        case .null, .blob: "x".databaseValue
        }
    }

    /// What each change of a column of one of a pack's rows does: nil if the schema allows none.
    private static func outcomes(
        of table: String, inPack pack: String, _ base: TemporaryFolder
    ) async throws -> [String: Outcome?] {
        let database = try open(base)
        let (columns, count) = try await database.read { database in
            (
                try database.columns(in: table).map(\.name) + (table == "file" ? [rowItself] : []),
                try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM \(table) WHERE \(tables[table] ?? "")",
                    arguments: ["pack": pack]) ?? 0
            )
        }
        try database.close()
        return try await withThrowingTaskGroup(of: (String, Outcome?).self) { group in
            for column in columns {
                for row in Set([min(1, count - 1), count - 1]) {
                    group.addTask {
                        let outcome = try await outcome(of: base) {
                            try change(column, of: table, inPack: pack, row: row, in: $0)
                        }
                        return ("\(table).\(column) of row \(row)", outcome)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test(
        "After a change of any column, all files are as if everything had been written again", arguments: ["", "Big"])
    func columns(pack: String) async throws {
        let base = try await Self.filled()
        var changed: Set<String> = []
        for table in Self.tables.keys.sorted() {
            for (column, outcome) in try await Self.outcomes(of: table, inPack: pack, base) {
                // The folder of a pack never changes; its files would stay in the former one.
                guard let outcome, !column.hasPrefix("pack.folder ") else { continue }
                if outcome.before != outcome.whole { changed.insert(String(column.prefix { $0 != " " })) }
                #expect(outcome.stale == [], "\(column)")
                #expect(outcome.forgotten == [], "\(column)")
            }
        }
        let known: Set = [
            "sticker.file", "sticker.stem", "sticker.arrival", "result.colors", "palette.stem", "file.state",
        ]
        #expect(changed.isSuperset(of: known), "\(changed.sorted())")
    }

    private static let changes: [String: @Sendable (inout PackSettings) -> Void] = [
        "name": { $0.name = "Other" }, "identifier": { $0.identifier = "other" },
        "publisher": { $0.publisher = "other" },
        "emoji": { $0.emoji = [] }, "colorCount": { $0.colorCount = 3 },
        "paletteFormats": { $0.paletteFormats = [.gpl] },
        "gallery": { $0.gallery = nil }, "minFreeBytes": { $0.minFreeBytes = 1 },
        "baseURL": { $0.gallery?.baseURL = "https://example.org" },
        "maxArchiveBytes": { $0.gallery?.maxArchiveBytes = 1 },
        "hasExports": { $0.gallery?.hasExports = true },
    ]

    @Test("After a change of any setting, all files are as if everything had been written again")
    func settings() async throws {
        let base = try await Self.filled()
        let all = [Mirror(reflecting: Self.settings), Mirror(reflecting: try #require(Self.settings.gallery))]
            .flatMap { $0.children.compactMap(\.label) }
        #expect(Set(all) == Set(Self.changes.keys), "each setting is changed")
        var changed: Set<String> = []
        for (name, change) in Self.changes {
            var settings = Self.settings
            change(&settings)
            let outcome = try #require(try await Self.outcome(of: base, settings))
            if outcome.before != outcome.whole { changed.insert(name) }
            #expect(outcome.stale == [], "\(name)")
        }
        // Without a ZIP, the limits change nothing.
        #expect(Set(Self.changes.keys).subtracting(changed) == ["minFreeBytes", "maxArchiveBytes"])
    }
}
