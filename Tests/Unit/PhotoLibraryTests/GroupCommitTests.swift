import GRDB
import Glibc
@testable import PhotoLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Group commit", .timeLimit(.minutes(1)))
struct GroupCommitTests {
    private struct Refusal: Error {}

    /// A file database in WAL mode, like the Library's.
    private static func database(in folder: TemporaryFolder) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: folder["test.sqlite"].string, configuration: PhotoLibrary.configuration())
        try queue.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        return queue
    }

    /// Runs `calls` while the connection is busy, until this many writes have gathered.
    private static func gathering(
        _ count: Int, in group: GroupCommit, on queue: DatabaseQueue, _ calls: () async throws -> Void
    ) async throws {
        queue.asyncWriteWithoutTransaction { _ in
            while group.waiting < count { usleep(1000) }
        }
        try await calls()
    }

    @Test("Writes that wait for the same commit share it, in the order of the calls")
    func shared() async throws {
        let folder = try TemporaryFolder()
        let queue = try Self.database(in: folder)
        let commits = Counter()
        let observer = Observer { commits.add(1) }
        queue.add(transactionObserver: observer, extent: .observerLifetime)
        let group = GroupCommit(queue: queue)
        try await Self.gathering(40, in: group, on: queue) {
            try await withThrowingTaskGroup { tasks in
                for value in 0..<40 {
                    tasks.addTask {
                        try await group.write {
                            try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") } == 40)
        #expect(commits.value == 1)
    }

    @Test("Writes that share a commit do so without savepoints")
    func withoutSavepoints() async throws {
        let folder = try TemporaryFolder()
        let queue = try Self.database(in: folder)
        let savepoints = Counter()
        try await queue.writeWithoutTransaction { database in
            database.trace(options: .statement) { event in
                if event.description.hasPrefix("SAVEPOINT") { savepoints.add(1) }
            }
        }
        let group = GroupCommit(queue: queue)
        try await Self.gathering(10, in: group, on: queue) {
            try await withThrowingTaskGroup { tasks in
                for value in 0..<10 {
                    tasks.addTask {
                        try await group.write {
                            try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
        #expect(savepoints.value == 0)
    }

    @Test("A write that throws changes nothing, and the others of its commit are kept")
    func failing() async throws {
        let folder = try TemporaryFolder()
        let queue = try Self.database(in: folder)
        let group = GroupCommit(queue: queue)
        let refused = Counter()
        try await Self.gathering(20, in: group, on: queue) {
            await withTaskGroup { tasks in
                for value in 0..<20 {
                    tasks.addTask {
                        do {
                            try await group.write { database in
                                try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
                                if value.isMultiple(of: 4) { throw Refusal() }
                            }
                        } catch {
                            refused.add(error is Refusal ? 1 : 100)
                        }
                    }
                }
            }
        }
        let values = try await queue.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
        #expect(values == (0..<20).filter { !$0.isMultiple(of: 4) })
        #expect(refused.value == 5)
    }

    @Test("If SQLite ends the transaction, each write of the commit fails and nothing has changed")
    func rolledBack() async throws {
        let folder = try TemporaryFolder()
        let queue = try Self.database(in: folder)
        let group = GroupCommit(queue: queue)
        let failures = Counter()
        try await Self.gathering(10, in: group, on: queue) {
            await withTaskGroup { tasks in
                for value in 0..<10 {
                    tasks.addTask {
                        do {
                            try await group.write { database in
                                try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
                                // As a full disk does.
                                if value == 5 {
                                    try database.execute(sql: "INSERT OR ROLLBACK INTO number VALUES (5)")
                                }
                            }
                        } catch {
                            failures.add(1)
                        }
                    }
                }
            }
        }
        let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") } ?? -1
        #expect(count == 0 && failures.value == 10)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number WHERE value = 5") } == 0)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func add(_ number: Int) { count.withLock { $0 += number } }
        var value: Int { count.withLock { $0 } }
    }

    private final class Observer: TransactionObserver {
        private let committed: @Sendable () -> Void

        init(_ committed: @escaping @Sendable () -> Void) { self.committed = committed }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { committed() }
        func databaseDidRollback(_ db: Database) {}
    }
}
