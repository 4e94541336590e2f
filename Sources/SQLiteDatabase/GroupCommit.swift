import GRDB
import LinuxIO
import Synchronization

/// Commits the writes of concurrent callers together: while SQLite syncs one commit, further writes gather for the
/// next. An fsync per commit would otherwise limit the number of photos per second.
///
/// Each write changes everything or nothing, and its failure leaves the others as they are. No call returns before the
/// commit that contains its write is on disk. A write that can wait gathers for a moment even while no commit runs, as
/// with PostgreSQL's `commit_delay`. Writes run in the order of the calls. If one fails, all writes of its
/// commit are undone and run again, each in a savepoint: for each savepoint, SQLite copies the pages that change, which
/// costs a tenth of the daemon's processor time with many workers, and few writes fail.
final class GroupCommit: Sendable {
    /// The most writes of one commit, so that readers wait for a bounded time.
    private static let mostWrites = 64
    /// How long writes gather at most, and how many end it.
    static let (gatheringTime, enoughWrites) = (Duration.milliseconds(100), 8)

    private struct State {
        var waiting: [Write] = []
        /// How many writes there were.
        var count = 0
        /// Whether a commit is running or scheduled.
        var isScheduled = false

        /// Whether the caller is to schedule a commit.
        mutating func begins() -> Bool {
            guard !isScheduled, !waiting.isEmpty else { return false }
            isScheduled = waiting.count >= enoughWrites || waiting.contains { !$0.canGather }
            return isScheduled
        }
    }

    private let queue: DatabaseQueue
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    init(queue: DatabaseQueue, clock: any MonotonicClock) { (self.queue, self.clock) = (queue, clock) }

    /// How many writes wait for the next commit.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Returns when the changes are on disk.
    ///
    /// - Parameter gathering: whether others may join it first, which takes up to `gatheringTime`.
    /// - Throws: what `updates` throws, or SQLite's error; nothing has changed then. `CancellationError` if the task
    ///   was cancelled before the call.
    func write<Value: Sendable>(
        gathering: Bool = false, _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let (begins, first) = state.withLock { state in
                state.count += 1
                let canGather = gathering && !Task.isCancelled
                state.waiting.append(Write(state.count, updates, continuation, canGather: canGather))
                return (state.begins(), canGather && state.waiting.count == 1 ? state.count : nil)
            }
            if begins { schedule() } else if let first { endGathering(of: first) }
        }
    }

    /// Ends the gathering that this write has begun, and later ones have joined, after its time.
    private func endGathering(of number: Int) {
        Task { [weak self, clock] in
            try? await clock.sleep(for: Self.gatheringTime)
            guard let self else { return }
            let begins = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return false }
                // If a commit is running, the next one begins at its end.
                state.waiting[index].canGather = false
                return state.begins()
            }
            if begins { schedule() }
        }
    }

    private func schedule() {
        // Reads take their turns between two commits, because both use the same queue.
        queue.asyncWriteWithoutTransaction { [self] database in
            let ends = Self.commit(takeWrites(), in: database)
            // The writes are released by now: they may hold the Library, whose lock must end when its last user drops
            // it.
            for end in ends { end() }
            let begins = state.withLock { state in
                state.isScheduled = false
                return state.begins()
            }
            if begins { schedule() }
        }
    }

    private func takeWrites() -> [Write] {
        state.withLock { state in
            let writes = Array(state.waiting.prefix(Self.mostWrites))
            state.waiting.removeFirst(writes.count)
            // Writes that are too many for one commit do not gather again.
            if !state.waiting.isEmpty { state.waiting[0].canGather = false }
            return writes
        }
    }

    /// Returns what tells each caller how its write ended.
    private static func commit(_ writes: [Write], in database: Database) -> [() -> Void] {
        var hasBegun = false
        do {
            return try transaction(writes, in: database) { write in
                hasBegun = true
                return try write.run(database)
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
        _ writes: [Write], in database: Database, running run: (Write) throws -> () -> Void
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
private struct Write: Sendable {
    let number: Int
    /// Makes the changes in the open transaction, and returns what tells the caller how it ended, to be called after
    /// the commit.
    ///
    /// It throws the write's own error; the transaction must end then, because some changes may have been made.
    let run: @Sendable (Database) throws -> () -> Void
    /// Tells the caller that it failed.
    let fail: @Sendable (any Error) -> Void
    var canGather: Bool

    init<Value: Sendable>(
        _ number: Int, _ updates: @escaping @Sendable (Database) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>, canGather: Bool
    ) {
        (self.number, self.canGather) = (number, canGather)
        run = { database in
            let value = try updates(database)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }

    /// As `run`, but if the write fails, the transaction continues without it, and its caller gets the error.
    ///
    /// - Throws: if the transaction has ended.
    func runInSavepoint(in database: Database) throws -> () -> Void {
        var end = {}
        do {
            try database.inSavepoint {
                end = try run(database)
                return .commit
            }
        } catch {
            // Some errors, such as a full disk, make SQLite roll back the whole transaction.
            guard database.isInsideTransaction else { throw error }
            return { fail(error) }
        }
        return end
    }
}
