import GRDB
import LinuxIO
import Synchronization

/// SQLite's file, with patience: what the disk refuses for a while is tried again until it works, or until somebody has
/// no more time. What is wrong for good is thrown at once.
///
/// A transaction that failed has changed nothing, so that it can be repeated as it is.
struct PatientDatabase: Sendable {
    let queue: DatabaseQueue
    let patience = Patience()

    func write<Value: Sendable>(_ updates: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await patience.perform { try await waiting { try await queue.write(updates) } }
    }

    func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await patience.perform { try await waiting { try await queue.read(value) } }
    }

    /// Records `call` as a wait for the disk: SQLite syncs its files itself, and a call waits for those before it.
    private func waiting<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        let wait = DiskWaits.shared.begin()
        defer { DiskWaits.shared.end(wait) }
        return try await call()
    }
}

/// Tries again and again, and says when that begins and when it is over.
final class Patience: Sendable {
    private struct State {
        var isEnded = false
        /// How many calls wait for another try.
        var waiting = 0
        var tell: @Sendable (String?) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// - Parameter tell: called with what is wrong when the first call has to wait, and with nil when none does any more;
    ///   must neither block nor use the Library.
    func watch(_ tell: @escaping @Sendable (String?) -> Void) {
        state.withLock { $0.tell = tell }
    }

    /// From here on trouble is thrown.
    func end() {
        state.withLock { $0.isEnded = true }
    }

    func perform<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        var backoff = Backoff(.library)
        var isWaiting = false
        // What works meanwhile, as reading does on a full disk, says nothing of this call.
        defer { if isWaiting { endWaiting() } }
        while true {
            do {
                return try await work()
            } catch let error as DatabaseError where error.isPassing {
                if state.withLock(\.isEnded) { throw error }
                if !isWaiting { beginWaiting(because: error) }
                isWaiting = true
                try await Task.sleep(for: backoff.next())
            }
        }
    }

    // Told inside the lock: the last word must be the last one said.

    private func beginWaiting(because error: DatabaseError) {
        state.withLock { state in
            state.waiting += 1
            guard state.waiting == 1 else { return }
            state.tell("the Library cannot be used just now: \(error.message ?? "SQLite error")")
        }
    }

    private func endWaiting() {
        state.withLock { state in
            state.waiting -= 1
            // At the end calls give up, which is no good news.
            if state.waiting == 0, !state.isEnded { state.tell(nil) }
        }
    }
}

extension DatabaseError {
    /// The disk's or the system's trouble, and not the file's.
    fileprivate var isPassing: Bool {
        [
            .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
            .SQLITE_PROTOCOL, .SQLITE_READONLY,
        ].contains(resultCode)
    }

    /// What is in the file makes no sense.
    var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}

extension PhotoLibrary {
    /// - Parameter tell: called with what is wrong when the disk begins to refuse the Library, and with nil when that is
    ///   over; must not block.
    package func watchDisk(_ tell: @escaping @Sendable (String?) -> Void) { database.patience.watch(tell) }

    /// There is no time to wait for the disk any more: from here on its trouble is thrown.
    package func endPatience() { database.patience.end() }
}
