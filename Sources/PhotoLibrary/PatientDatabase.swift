import FileNames
import GRDB
import GRDBSQLite
import LinuxIO
import Synchronization

/// A SQLite database that retries transient disk errors until they end, or until `endPatience()`; permanent ones are
/// thrown.
///
/// A failed transaction has changed nothing, so it is safe to repeat.
final class PatientDatabase: Sendable {
    private struct Retries {
        var areEnded = false
        /// How many calls are waiting to retry.
        var waiting = 0
        var report: @Sendable (String?) -> Void = { _ in }
    }

    let queue: DatabaseQueue
    /// Packs whose index must be rewritten ('' is the root pack), until someone takes them.
    let changedPacks = Mutex<Set<ExactName>>([])
    private let commits: GroupCommit
    private let clock: any MonotonicClock
    private let retries = Mutex(Retries())

    init(queue: DatabaseQueue, clock: any MonotonicClock) {
        (self.queue, self.clock) = (queue, clock)
        commits = GroupCommit(queue: queue)
    }

    /// - Parameter report: called with the cause when the first call begins to wait, and with nil when the last one
    ///   ends; must neither block nor use the Library.
    func watch(_ report: @escaping @Sendable (String?) -> Void) {
        retries.withLock { $0.report = report }
    }

    /// Makes later transient errors throw.
    func endPatience() {
        retries.withLock { $0.areEnded = true }
    }

    /// Decides the photos that `updates` touches in the same transaction, and collects the packs that it changes.
    func write<Value: Sendable>(_ updates: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let (value, packs) = try await perform {
            try await commits.write { database in
                let value = try updates(database)
                try PhotoLibrary.decideTouched(in: database)
                return (value, try PhotoLibrary.takeChangedPacks(in: database))
            }
        }
        if !packs.isEmpty { changedPacks.withLock { $0.formUnion(packs) } }
        return value
    }

    func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await perform {
            // Like `queue.read`, which in GRDB 7.10 dereferences a null pointer if the connection is closed. This
            // throws. Not `readOnly` either: its PRAGMA query_only makes SQLite compile all statements again.
            try await queue.writeWithoutTransaction { try Self.snapshot($0, value) }
        }
    }

    /// Runs `value` in one transaction, so that it sees a consistent state.
    ///
    /// - Throws: also if `value` changes anything; the change is undone then.
    private static func snapshot<Value>(_ database: Database, _ value: (Database) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        var hasChanged = false
        try database.inTransaction(.deferred) {
            let changes = database.totalChangesCount
            result = Result { try value(database) }
            hasChanged = database.totalChangesCount != changes
            return hasChanged ? .rollback : .commit
        }
        guard let result, !hasChanged else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a read has changed the Library")
        }
        return try result.get()
    }

    /// Retries with capped exponential backoff, and reports when retrying begins and ends. Each try counts as a wait
    /// for the disk: SQLite syncs its files itself, and calls run one after the other.
    private func perform<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        var backoff = Backoff(.library)
        var isWaiting = false
        // Other calls may succeed meanwhile, such as reads on a full disk: only this call's success ends its wait.
        defer { if isWaiting { endWaiting() } }
        while true {
            do {
                let wait = DiskWaits.shared.begin()
                defer { DiskWaits.shared.end(wait) }
                return try await work()
            } catch let error as DatabaseError where error.isPassing {
                if retries.withLock(\.areEnded) { throw error }
                if !isWaiting { beginWaiting(because: error) }
                isWaiting = true
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    // `report` is called inside the lock, so that reports arrive in order.

    private func beginWaiting(because error: DatabaseError) {
        retries.withLock { retries in
            retries.waiting += 1
            guard retries.waiting == 1 else { return }
            retries.report("the Library cannot be used: \(error.message ?? "SQLite error")")
        }
    }

    private func endWaiting() {
        retries.withLock { retries in
            retries.waiting -= 1
            // After `endPatience()`, calls give up although the condition lasts.
            if retries.waiting == 0, !retries.areEnded { retries.report(nil) }
        }
    }
}

extension DatabaseError {
    /// Whether the cause is the disk or the system, so that a retry may succeed.
    fileprivate var isPassing: Bool {
        [
            .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
            .SQLITE_PROTOCOL, .SQLITE_READONLY,
        ].contains(resultCode)
    }

    /// Whether the file's contents are damaged.
    var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}

extension PhotoLibrary {
    /// - Parameter report: called with the cause when the Library becomes unavailable, and with nil when it is
    ///   available again; must not block.
    package func watchDisk(_ report: @escaping @Sendable (String?) -> Void) { database.watch(report) }

    /// Makes later transient disk errors throw, because the process is ending.
    package func endPatience() { database.endPatience() }
}

/// Calls back during a long SQLite statement, such as a check or a migration of the whole file.
final class SQLiteProgress {
    /// Instructions of SQLite's virtual machine between two calls: a few milliseconds.
    private static let steps: Int32 = 1_000_000

    private let report: @Sendable () -> Void

    init(_ report: @escaping @Sendable () -> Void) { self.report = report }

    /// Runs `work` on the connection of `queue`. No other thread may use the connection meanwhile.
    static func reporting<Value>(
        _ report: @escaping @Sendable () -> Void, of queue: DatabaseQueue, during work: () throws -> Value
    ) throws -> Value {
        let progress = SQLiteProgress(report)
        progress.attach(to: queue, every: steps)
        defer { progress.detach(from: queue) }
        return try work()
    }

    /// Calls back each time that the connection of `queue` has run this many instructions, until `detach`.
    func attach(to queue: DatabaseQueue, every instructions: Int32) {
        queue.inDatabase { database in
            // The object outlives the handler, which `detach` removes.
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe sqlite3_progress_handler(
                database.sqliteConnection, instructions,
                { context in
                    if let context = unsafe context {
                        unsafe Unmanaged<SQLiteProgress>.fromOpaque(context).takeUnretainedValue().report()
                    }
                    return 0
                }, context)
        }
    }

    func detach(from queue: DatabaseQueue) {
        queue.inDatabase { unsafe sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
    }
}
