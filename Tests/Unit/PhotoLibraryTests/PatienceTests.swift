import GRDB
@testable import PhotoLibrary
import SQLiteDatabase
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Waiting for the disk", .timeLimit(.minutes(1)))
struct PatienceTests {
    @Test("A wait ends when the last waiting call succeeds; other calls that succeed meanwhile do not end it")
    func reported() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock()
        let library = try Library(in: folder.path, outbox: "/outbox", clock: clock)
        try await library.failAtOnceIfBusy()
        let words = Mutex<[String?]>([])
        library.watchDisk { word in words.withLock { $0.append(word) } }
        // Another process writes; in WAL mode reads still succeed.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder["library/library.sqlite"].string, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        async let writing: Void = library.recordStop()
        #expect(try await eventually { words.withLock(\.count) == 1 })
        for _ in 0..<3 { _ = try await library.status() }
        #expect(words.withLock(\.count) == 1)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await clock.advance { words.withLock(\.count) == 2 })
        try await writing
        let all = words.withLock { $0 }
        #expect(all.map { $0 == nil } == [false, true])
    }

    @Test("A closed Library throws instead of reading or writing")
    func closed() async throws {
        let folder = TemporaryFolder()
        let library = try Library(in: folder.path, outbox: "/outbox")
        try library.close()
        await #expect(throws: (any Error).self) { try await library.recordStop() }
        await #expect(throws: (any Error).self) { try await library.status() }
    }
}

extension Library {
    /// Otherwise, SQLite itself retries for seconds.
    func failAtOnceIfBusy() async throws {
        try await database.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
    }
}
