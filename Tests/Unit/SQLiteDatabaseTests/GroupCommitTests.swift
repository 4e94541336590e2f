import GRDB
import Glibc
@testable import SQLiteDatabase
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Group commit", .timeLimit(.minutes(1)))
struct GroupCommitTests {
    private struct Refusal: Error {}

    private let folder = TemporaryFolder()
    /// A file database in WAL mode, like any `DatabaseFile`.
    private let queue: DatabaseQueue
    /// What the connection ran, by first word.
    private let run = Counts()

    init() throws {
        queue = try DatabaseQueue(path: folder["test.sqlite"].string, configuration: DatabaseFile.configuration())
        try queue.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        queue.writeWithoutTransaction { [run] database in
            database.trace(options: .statement) { run.add("\($0)".prefix { $0 != " " }.uppercased()) }
        }
    }

    /// Inserts the numbers from 0 on by one write each, which gather while the connection is busy. Returns the errors.
    private func insert(
        _ count: Int, gathering: Bool = false, _ more: @escaping @Sendable (Int, Database) throws -> Void = { _, _ in }
    ) async -> [any Error] {
        let group = GroupCommit(queue: queue, clock: ManualClock())
        queue.asyncWriteWithoutTransaction { _ in
            while group.waiting < count { usleep(1000) }
        }
        return await withTaskGroup(of: (any Error)?.self) { tasks in
            for value in 0..<count {
                tasks.addTask {
                    do {
                        try await group.write(gathering: gathering) { database in
                            try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
                            try more(value, database)
                        }
                        return nil
                    } catch { return error }
                }
            }
            return await tasks.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
    }

    @Test(
        "Writes that can wait gather until their time is over, they are enough, or one comes that cannot",
        arguments: [(1, false, true), (5, false, true), (8, false, false), (3, true, false)])
    func gathering(writes: Int, hasUrgent: Bool, timePasses: Bool) async throws {
        let clock = ManualClock()
        let group = GroupCommit(queue: queue, clock: clock)
        try await withThrowingTaskGroup { tasks in
            for value in 0..<writes {
                tasks.addTask {
                    try await group.write(gathering: true) {
                        try $0.execute(sql: "INSERT INTO number VALUES (\(value))")
                    }
                }
            }
            if timePasses {
                #expect(try await eventually { group.waiting == writes && clock.sleeps.count == 1 })
                clock.advance(by: GroupCommit.gatheringTime)
            }
            if hasUrgent {
                #expect(try await eventually { group.waiting == writes })
                try await group.write { try $0.execute(sql: "INSERT INTO number VALUES (100)") }
            }
            try await tasks.waitForAll()
        }
        #expect(run["COMMIT"] == 1)
        #expect(try await values().count == writes + (hasUrgent ? 1 : 0))
    }

    private func values() async throws -> [Int] {
        try await queue.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
    }

    @Test("Writes that wait for the same commit share it, without savepoints")
    func shared() async throws {
        #expect(await insert(40).isEmpty)
        #expect(run["COMMIT"] == 1 && run["SAVEPOINT"] == 0)
        #expect(try await values() == Array(0..<40))
    }

    @Test("Writes that are too many for one commit have another one at once")
    func tooMany() async throws {
        #expect(await insert(70, gathering: true).isEmpty)
        #expect(run["COMMIT"] == 2)
    }

    @Test("A write whose time ends during a commit has the next one")
    func endedDuringCommit() async throws {
        let clock = ManualClock()
        let group = GroupCommit(queue: queue, clock: clock)
        let isBusy = Mutex(false)
        let isOpen = Mutex(false)
        async let first: Void = group.write { _ in
            isBusy.withLock { $0 = true }
            while !isOpen.withLock({ $0 }) { usleep(1000) }
        }
        #expect(try await eventually { isBusy.withLock { $0 } })
        async let second: Void = group.write(gathering: true) { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
        #expect(try await eventually { clock.sleeps.count == 1 })
        clock.advance(by: GroupCommit.gatheringTime)
        try await Task.sleep(for: .milliseconds(50))
        isOpen.withLock { $0 = true }
        _ = try await (first, second)
        #expect(try await values() == [1])
    }

    @Test("A write that throws changes nothing, and the others of its commit are kept")
    func failing() async throws {
        let errors = await insert(20) { value, _ in if value.isMultiple(of: 4) { throw Refusal() } }
        #expect(errors.count == 5 && errors.allSatisfy { $0 is Refusal })
        #expect(try await values() == (0..<20).filter { !$0.isMultiple(of: 4) })
    }

    @Test("If SQLite ends the transaction, each write of the commit fails and nothing has changed")
    func rolledBack() async throws {
        let errors = await insert(10) { value, database in
            // As a full disk does.
            if value == 5 { try database.execute(sql: "INSERT OR ROLLBACK INTO number VALUES (5)") }
        }
        #expect(errors.count == 10)
        #expect(try await values() == [])
    }

    private final class Counts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func add(_ word: String) { counts.withLock { $0[word, default: 0] += 1 } }
        subscript(word: String) -> Int { counts.withLock { $0[word, default: 0] } }
    }
}
