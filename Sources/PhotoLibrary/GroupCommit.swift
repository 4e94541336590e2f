import GRDB
import Synchronization

/// Commits the writes of concurrent callers together: while SQLite syncs one commit, further writes gather for the next.
/// An fsync per commit would otherwise limit the number of photos per second.
///
/// Each write changes everything or nothing, and its failure leaves the others as they are. No call returns before the
/// commit that contains its write is on disk. Writes run in the order of the calls. If one fails, all writes of its commit
/// are undone and run again, each in a savepoint: for each savepoint, SQLite copies the pages that change, which costs a
/// tenth of the daemon's processor time with many workers, and few writes fail.
final class GroupCommit: Sendable {
    /// The most writes of one commit, so that readers wait for a bounded time.
    private static let mostWrites = 64

    private struct State {
        var waiting: [any Write] = []
        /// Whether a commit is running or scheduled.
        var isScheduled = false
    }

    private let queue: DatabaseQueue
    private let state = Mutex(State())

    init(queue: DatabaseQueue) { self.queue = queue }

    /// How many writes wait for the next commit.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Returns when the changes are on disk.
    ///
    /// - Throws: what `updates` throws, or SQLite's error; nothing has changed then. `CancellationError` if the task
    ///   was cancelled before the call.
    func write<Value: Sendable>(_ updates: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(PendingWrite(updates, continuation))
                defer { state.isScheduled = true }
                return !state.isScheduled
            }
            if isFirst { schedule() }
        }
    }

    private func schedule() {
        // Reads take their turns between two commits, because both use the same queue.
        queue.asyncWriteWithoutTransaction { [self] database in
            let ends = Self.commit(takeWrites(), in: database)
            // The writes are released by now: they may hold the Library, whose lock must end when its last user drops it.
            for end in ends { end() }
            let hasMore = state.withLock { state in
                state.isScheduled = !state.waiting.isEmpty
                return state.isScheduled
            }
            if hasMore { schedule() }
        }
    }

    private func takeWrites() -> [any Write] {
        state.withLock { state in
            let writes = Array(state.waiting.prefix(Self.mostWrites))
            state.waiting.removeFirst(writes.count)
            return writes
        }
    }

    /// Returns what tells each caller how its write ended.
    private static func commit(_ writes: [any Write], in database: Database) -> [() -> Void] {
        var hasBegun = false
        do {
            return try transaction(writes, in: database) { write in
                hasBegun = true
                return try write.run(in: database)
            }
        } catch {
            guard hasBegun, writes.count > 1 else { return writes.map { write in { write.fail(error) } } }
        }
        do {
            return try transaction(writes, in: database) { try $0.runInSavepoint(in: database) }
        } catch {
            return writes.map { write in { write.fail(error) } }
        }
    }

    private static func transaction(
        _ writes: [any Write], in database: Database, running run: (any Write) throws -> () -> Void
    ) throws -> [() -> Void] {
        var ends: [() -> Void] = []
        try database.inTransaction(.immediate) {
            for write in writes { ends.append(try run(write)) }
            return .commit
        }
        return ends
    }
}

/// A write whose caller waits for it.
private protocol Write: Sendable {
    /// Makes the changes in the open transaction.
    ///
    /// - Returns: tells the caller how it ended; to be called after the commit.
    /// - Throws: the write's own error; the transaction must end, because some changes may have been made.
    func run(in database: Database) throws -> () -> Void

    /// As `run`, but if the write fails, the transaction continues without it, and its caller gets the error.
    ///
    /// - Throws: if the transaction has ended.
    func runInSavepoint(in database: Database) throws -> () -> Void

    func fail(_ error: any Error)
}

private struct PendingWrite<Value: Sendable>: Write {
    private let updates: @Sendable (Database) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>

    init(
        _ updates: @escaping @Sendable (Database) throws -> Value, _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self.updates = updates
        self.continuation = continuation
    }

    func run(in database: Database) throws -> () -> Void {
        let value = try updates(database)
        return { [continuation] in continuation.resume(returning: value) }
    }

    func runInSavepoint(in database: Database) throws -> () -> Void {
        var end: (() -> Void)?
        do {
            try database.inSavepoint {
                end = try run(in: database)
                return .commit
            }
        } catch {
            // Some errors, such as a full disk, make SQLite roll back the whole transaction.
            guard database.isInsideTransaction else { throw error }
            return { [continuation] in continuation.resume(throwing: error) }
        }
        guard let end else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
        return end
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
