import GRDB
import GRDBSQLite
import PackLedger
@testable import PhotoLibrary
import SQLiteDatabase
import Synchronization
import Testing

@Suite("Compiled statements", .timeLimit(.minutes(1)))
struct CompiledOnceTests {
    @Test("What runs for each photo is compiled once")
    func once() async throws {
        let fixture = LibraryFixture()
        let library = fixture.library
        func work(_ name: String) async throws {
            try await fixture.arrive("P/\(name).jpg")
            let claim = try await fixture.next()
            try await fixture.makeSticker(claim, photo: name)
            _ = try await library.status()
        }
        try await work("first")
        let before = try await compiled(library)
        for name in ["second", "third", "fourth"] { try await work(name) }
        let after = try await compiled(library)
        #expect(after.filter { $0.value != before[$0.key] } == [:])
        let run = try await statements(of: library) { try await work("fifth") }
        #expect(run.count > 20)
        // A connection keeps only cached statements.
        #expect(run.filter { after[$0] == nil } == [])
    }

    @Test("What runs for each index is compiled once")
    func index() async throws {
        let fixture = LibraryFixture()
        let library = fixture.library
        let sizes = PageSizes(maxUndivided: 2, maxStickers: 8)
        func write() async throws {
            _ = try await library.folder(ofPack: "", candidates: [""])
            let summary = try await library.summary(ofPack: "", listed: 100)
            _ = try await library.arrangePages(ofPack: "", sizes: sizes)
            try await library.writeDuePages(ofPack: "")
            #expect(try await library.listing(ofPack: "", isDivided: true).pages?.count == 1)
            try await library.record(
                index: summary.revision + 1, removed: summary.withdrawn, listed: summary.unlisted, ofPack: "")
        }
        for name in ["1", "2", "3", "4"] {
            try await fixture.arrive("\(name).jpg")
            try await fixture.makeSticker(fixture.next(), photo: name)
        }
        try await write()
        try await fixture.make(["5.jpg": "5"])
        let run = try await statements(of: library) { try await write() }
        #expect(run.count > 10)
        let kept = try await compiled(library)
        #expect(run.filter { kept[$0] == nil } == [])
    }

    @Test("A read that changes something fails, and nothing has changed")
    func reads() async throws {
        let fixture = LibraryFixture()
        await #expect(throws: DatabaseError.self) {
            try await fixture.library.database.read { try Library.setMeta("key", "1", in: $0) }
        }
        #expect(try await fixture.library.database.read { try Library.meta("key", in: $0) } == nil)
    }

    /// The statements that `body` runs itself: no triggers, and none that begin and end transactions.
    private func statements(of library: Library, _ body: () async throws -> Void) async throws -> Set<String> {
        let run = Mutex<Set<String>>([])
        let collect: @Sendable (Database.TraceEvent) -> Void = { event in
            guard case .statement(let statement) = event else { return }
            run.withLock { _ = $0.insert(statement.sql) }
        }
        try await library.database.queue.writeWithoutTransaction { $0.trace(options: .statement, collect) }
        try await body()
        try await library.database.queue.writeWithoutTransaction { $0.trace(options: .statement, nil) }
        let others = #/(BEGIN|COMMIT|SAVEPOINT|RELEASE|PRAGMA|--) (?s:.*)/#
        return run.withLock { $0 }.filter { $0.wholeMatch(of: others) == nil }
    }

    /// How often each statement that the connection keeps was compiled again.
    private func compiled(_ library: Library) async throws -> [String: Int32] {
        try await library.database.queue.writeWithoutTransaction { database in
            var counts: [String: Int32] = [:]
            // The statements live as long as the connection, on whose queue this runs.
            var next = unsafe sqlite3_next_stmt(database.sqliteConnection, nil)
            while let statement = unsafe next {
                let sql = unsafe sqlite3_sql(statement).map { unsafe String(cString: $0) } ?? ""
                counts[sql, default: 0] += unsafe sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
                unsafe next = sqlite3_next_stmt(database.sqliteConnection, statement)
            }
            return counts
        }
    }
}
