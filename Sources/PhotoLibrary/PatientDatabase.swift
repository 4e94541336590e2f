import GRDB
import Synchronization

/// SQLite's file, with patience: what the disk refuses for a while is tried again until it works, or until somebody has
/// no more time. What is wrong for good is thrown at once.
///
/// A transaction that failed has changed nothing, so that it can be repeated as it is.
struct PatientDatabase: Sendable {
    let queue: DatabaseQueue
    let patience = Patience()

    func write<Value: Sendable>(_ updates: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await patience.perform { try await queue.write(updates) }
    }

    func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await patience.perform { try await queue.read(value) }
    }
}

/// Tries again and again, and says when that begins and when it is over.
final class Patience: Sendable {
    private struct State {
        var isEnded = false
        var trouble: String?
        var tell: @Sendable (String?) -> Void = { _ in }
    }

    private static let first = Duration.milliseconds(200)
    private static let longest = Duration.seconds(10)

    private let state = Mutex(State())

    /// - Parameter tell: called with what is wrong when it begins, and with nil when it is over; must not block.
    func watch(_ tell: @escaping @Sendable (String?) -> Void) {
        state.withLock { $0.tell = tell }
    }

    /// From here on trouble is thrown.
    func end() {
        state.withLock { $0.isEnded = true }
    }

    func perform<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        var wait = Self.first
        while true {
            do {
                let value = try await work()
                change(to: nil)
                return value
            } catch let error as DatabaseError where error.isPassing {
                if state.withLock(\.isEnded) { throw error }
                change(to: "the Library cannot be used just now: \(error.message ?? "SQLite error")")
                try await Task.sleep(for: wait)
                wait = min(wait * 2, Self.longest)
            }
        }
    }

    private func change(to trouble: String?) {
        let tell: (@Sendable (String?) -> Void)? = state.withLock { state in
            guard (state.trouble == nil) != (trouble == nil) else { return nil }
            state.trouble = trouble
            return state.tell
        }
        tell?(trouble)
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
    package func watchTrouble(_ tell: @escaping @Sendable (String?) -> Void) { database.patience.watch(tell) }

    /// There is no time to wait for the disk any more: from here on its trouble is thrown.
    package func endPatience() { database.patience.end() }
}
