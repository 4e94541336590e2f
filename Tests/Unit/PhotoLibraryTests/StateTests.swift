import Foundation
import GRDB
@testable import PhotoLibrary
import PhotoRule
import SQLiteDatabase
import SystemPackage
import TestSupport
import Testing

@Suite("The states of a file", .timeLimit(.minutes(1)))
struct StateTests {
    @Test("Only the statements of one source file insert, delete or change the state of a file")
    func statements() throws {
        let folder = TemporaryFolder()
        try Library(in: folder.path, outbox: "/outbox").close()
        let database = try DatabaseQueue(path: folder["library/library.sqlite"].string)
        let statements = try LibraryStatements()
        try database.writeWithoutTransaction { database in
            var writers: [String] = []
            let triggers = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
            for sql in statements.all + triggers.flatMap(LibraryStatements.body)
            where try StateWrites.isIn(sql, database) {
                writers.append(sql)
            }
            #expect(writers.allSatisfy { statements.files[$0] == ["FileRecord.swift"] }, "\(writers)")
            #expect(
                writers.map { $0.prefix { $0 != " " } }.sorted()
                    == ["DELETE", "DELETE", "DELETE", "INSERT", "UPDATE", "UPDATE", "UPDATE", "UPDATE"])
        }
    }

    @Test("A transition moves a file from its own states; from all others it is refused and writes nothing")
    func walk() async throws {
        try await LibraryFixture().library.database.write { database in
            for state in FileState.allCases {
                for transition in FileTransition.table {
                    try Self.makeFile(in: state, database)
                    let file = try #require(try FileRecord.at(Self.path, in: database))
                    let before = try Self.rows(database)
                    let step = "\(transition.name) from \(state)"
                    if transition.from.contains(state) {
                        let moved = try file.move(transition, because: "why", in: database)
                        try Self.check(moved, before: file, transition, database, step)
                    } else {
                        #expect(throws: IllegalTransition.self, "\(step)") {
                            try file.move(transition, because: "why", in: database)
                        }
                        #expect(try Self.rows(database) == before, "\(step)")
                    }
                    try database.execute(sql: "DELETE FROM file")
                }
            }
        }
    }

    private static func check(
        _ moved: FileRecord, before: FileRecord, _ transition: FileTransition, _ database: Database, _ step: String
    ) throws {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM file")
        let tally = try Row.fetchAll(database, sql: "SELECT state FROM tally WHERE files <> 0")
        guard let next = transition.to else { return #expect(row == nil && tally == [], "\(step)") }
        let after = try FileRecord(row: try #require(row))
        #expect(after.state == next && after.reason == "why" && tally == [["state": next]], "\(step)")
        #expect(after.attempts == transition.attempts.map { before.attempts + $0 } ?? 0, "\(step)")
        #expect(after.stateSince > before.stateSince, "\(step)")
        #expect(after.arrival == before.arrival && after.identity == before.identity, "\(step)")
        // The returned file equals the stored one, except for the precision of dates.
        #expect(moved.state == after.state && moved.reason == after.reason && moved.attempts == after.attempts)
        #expect(abs(moved.stateSince.timeIntervalSince(after.stateSince)) < 0.001)
    }

    @Test("A transition of a file whose row has changed since it was read is refused")
    func stale() async throws {
        try await LibraryFixture().library.database.write { database in
            try Self.makeFile(in: .pending, database)
            let file = try #require(try FileRecord.at(Self.path, in: database))
            try file.move(.claim, in: database)
            #expect(throws: IllegalTransition.self) { try file.move(.claim, in: database) }
            #expect(throws: IllegalTransition.self) { try file.move(.forget, in: database) }
            #expect(try FileRecord.at(Self.path, in: database)?.state == .processing)
        }
    }

    @Test("From every state, a file with new contents arrives again, as pending or ignored")
    func arrivals() async throws {
        let verdicts: [Arrival.Verdict] = [.ready, .ignored(reason: "hidden")]
        #expect(verdicts.map(\.state) == FileState.ofArrivals)
        try await LibraryFixture().library.database.write { database in
            for state in FileState.allCases {
                for verdict in verdicts {
                    try Self.makeFile(in: state, database)
                    let arrival = Arrival(path: Self.path, identity: LibraryFixture.identity(2), verdict: verdict)
                    #expect(try FileRecord.arrive(arrival, number: 9, in: database))
                    let file = try #require(try FileRecord.at(Self.path, in: database))
                    #expect(file.state == verdict.state && file.reason == verdict.reason)
                    #expect(file.arrival == 9 && file.attempts == 0 && file.identity == arrival.identity)
                    #expect(try !FileRecord.arrive(arrival, number: 10, in: database))
                    try database.execute(sql: "DELETE FROM file")
                }
            }
        }
    }

    @Test("The diagram in Docs/Architecture.md shows exactly the transitions of the table")
    func diagram() throws {
        let page = Repository.root.appending(path: "Docs/Architecture.md")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        let diagram = (["```mermaid", "stateDiagram-v2"] + Self.arrows + ["```"]).joined(separator: "\n")
        let isDrawn = text.contains(diagram)
        #expect(isDrawn, "the diagram should be:\n\(diagram)")
    }

    /// The diagram in Mermaid's syntax: `[*]` is a file that is not in the Library.
    private static var arrows: [String] {
        let unknown = "[*]"
        var arrows = FileState.ofArrivals.map { "    \(unknown) --> \($0.rawValue): arrive" }
        for from in FileState.allCases {
            for to in FileState.allCases.map(Optional.some) + [nil] {
                let names = FileTransition.table.filter { $0.from.contains(from) && $0.to == to }.map(\.name)
                guard !names.isEmpty else { continue }
                arrows.append("    \(from.rawValue) --> \(to?.rawValue ?? unknown): \(names.joined(separator: ", "))")
            }
        }
        return arrows
    }

    private static let path = LibraryFixture.path("a")

    /// With an attempt, a reason and a date that every transition changes.
    private static func makeFile(in state: FileState, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, reason,
                    attempts, stateSince)
                VALUES ('a', '', '', 1, 7, 100, 1, 1, 5, ?, 'before', 4, '2026-01-01 00:00:00.000')
                """, arguments: [state])
    }

    private static func rows(_ database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM file")
            + Row.fetchAll(database, sql: "SELECT state FROM tally WHERE files <> 0")
    }
}

/// Whether a statement inserts into `file`, deletes from it, or changes a row's state, according to SQLite's
/// authorizer.
private final class StateWrites: TransactionObserver {
    private var isWriting = false

    static func isIn(_ sql: String, _ database: Database) throws -> Bool {
        let observer = StateWrites()
        database.add(transactionObserver: observer, extent: .observerLifetime)
        defer { database.remove(transactionObserver: observer) }
        try database.inTransaction {
            let statement = try database.makeStatement(sql: sql)
            // SQLite calls the authorizer when it prepares the statement: running it may fail, and the values do not
            // matter.
            statement.setUncheckedArguments(StatementArguments())
            try? statement.execute()
            return .rollback
        }
        return observer.isWriting
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert("file"), .delete("file"): isWriting = true
        case .update("file", let columns) where columns.contains("state"): isWriting = true
        default: break
        }
        return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
}
