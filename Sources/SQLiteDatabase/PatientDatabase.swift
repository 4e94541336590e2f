package import GRDB
package import LinuxIO
import Synchronization

/// A SQLite database that retries transient disk errors until they end, or until `endPatience()`; permanent ones are
/// thrown.
///
/// A failed transaction has changed nothing, so it is safe to repeat.
package final class PatientDatabase: Sendable {
    private struct Retries {
        var areEnded = false
        /// How many calls are waiting to retry.
        var waiting = 0
        var report: @Sendable (String?) -> Void = { _ in }
    }

    package let queue: DatabaseQueue
    private let commits: GroupCommit
    private let conclude: @Sendable (Database) throws -> @Sendable () -> Void
    private let clock: any MonotonicClock
    private let retries = Mutex(Retries())
    /// How often a call that meets damage is repeated, which takes 13 seconds: while a disk refuses to read, SQLite
    /// calls the file damaged (EIO becomes SQLITE_CORRUPT).
    static let mostDoubts = 6

    /// - Parameters:
    ///   - queue: the open database.
    ///   - clock: for the time between two tries.
    ///   - conclude: ends each transaction of `write`; what it returns runs once the transaction is on disk.
    package init(
        queue: DatabaseQueue, clock: any MonotonicClock,
        concluding conclude: @escaping @Sendable (Database) throws -> @Sendable () -> Void
    ) {
        (self.queue, self.clock, self.conclude) = (queue, clock, conclude)
        commits = GroupCommit(queue: queue, clock: clock)
    }

    /// - Parameter report: called with the cause when the first call begins to wait, and with nil when the last one
    ///   ends; must neither block nor use the database.
    package func watch(_ report: @escaping @Sendable (String?) -> Void) {
        retries.withLock { $0.report = report }
    }

    /// Makes later transient errors throw.
    package func endPatience() {
        retries.withLock { $0.areEnded = true }
    }

    /// One transaction, on disk when the call returns; if it throws, nothing has changed.
    ///
    /// - Parameter gathering: whether it may wait a moment for others to share the commit.
    package func write<Value: Sendable>(
        gathering: Bool = false, _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let (value, finish) = try await perform {
            try await commits.write(gathering: gathering) { [conclude] database in
                (try updates(database), try conclude(database))
            }
        }
        finish()
        return value
    }

    /// One transaction, which must not change anything.
    package func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
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
        var result: Value?
        try database.inTransaction(.deferred) {
            let changes = database.totalChangesCount
            let value = try value(database)
            if database.totalChangesCount == changes { result = value }
            return result == nil ? .rollback : .commit
        }
        guard let result else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a read has changed the database")
        }
        return result
    }

    /// Retries with capped exponential backoff, and reports when retrying begins and ends. Each try counts as a wait
    /// for the disk: SQLite syncs its files itself, and calls run one after the other.
    private func perform<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        var backoff = Backoff(.library)
        var isWaiting = false
        var doubts = 0
        // Other calls may succeed meanwhile, such as reads on a full disk: only this call's success ends its wait.
        defer { if isWaiting { endWaiting() } }
        while true {
            do {
                let wait = DiskWaits.shared.begin()
                defer { DiskWaits.shared.end(wait) }
                return try await work()
            } catch let error as DatabaseError where error.isPassing || error.isDamage {
                doubts = error.isDamage ? doubts + 1 : 0
                if doubts > Self.mostDoubts { endPatience() }
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
            let message = error.message ?? "SQLite error"
            retries.report(error.isDamage ? "its disk refuses to read it, or \(message)" : message)
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
    package var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
