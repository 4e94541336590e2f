import GRDB
import Synchronization

/// Commits the writes of concurrent callers together: while SQLite syncs one commit, further writes gather for the next.
/// An fsync per commit would otherwise limit the number of photos per second.
///
/// Each write is a savepoint, so it changes everything or nothing, and its failure leaves the others as they are. No
/// call returns before the commit that contains its write is on disk. Writes run in the order of the calls.
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
        do {
            var done: [() -> Void] = []
            try database.inTransaction(.immediate) {
                for write in writes { done.append(try write.run(in: database, isAlone: writes.count == 1)) }
                return .commit
            }
            return done
        } catch {
            return writes.map { write in { write.fail(error) } }
        }
    }
}

/// A write whose caller waits for it.
private protocol Write: Sendable {
    /// Makes the changes in the open transaction. If the write is alone in it, an error ends the transaction.
    ///
    /// - Returns: tells the caller how it ended; to be called after the commit.
    /// - Throws: if the transaction has ended.
    func run(in database: Database, isAlone: Bool) throws -> () -> Void

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

    func run(in database: Database, isAlone: Bool) throws -> () -> Void {
        if isAlone {
            let value = try updates(database)
            return { [continuation] in continuation.resume(returning: value) }
        }
        var value: Value?
        do {
            try database.inSavepoint {
                value = try updates(database)
                return .commit
            }
        } catch {
            // Some errors, such as a full disk, make SQLite roll back the whole transaction.
            guard database.isInsideTransaction else { throw error }
            return { [continuation] in continuation.resume(throwing: error) }
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
        return { [continuation] in continuation.resume(returning: value) }
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
