import GRDB
import GRDBSQLite

/// Calls back during a long SQLite statement, such as a check or a migration of the whole file.
final class SQLiteProgress {
    /// Steps of SQLite's virtual machine between two calls: a few milliseconds.
    private static let steps: Int32 = 1_000_000

    private let report: @Sendable () -> Void

    private init(_ report: @escaping @Sendable () -> Void) { self.report = report }

    /// Runs `work` on the connection of `queue`, which nothing else may use meanwhile.
    static func reporting<Value>(
        _ report: @escaping @Sendable () -> Void, of queue: DatabaseQueue, during work: () throws -> Value
    ) throws -> Value {
        let progress = SQLiteProgress(report)
        queue.inDatabase { database in
            // The object outlives the handler, which is removed below.
            let context = unsafe Unmanaged.passUnretained(progress).toOpaque()
            unsafe sqlite3_progress_handler(
                database.sqliteConnection, steps,
                { context in
                    if let context = unsafe context {
                        unsafe Unmanaged<SQLiteProgress>.fromOpaque(context).takeUnretainedValue().report()
                    }
                    return 0
                }, context)
        }
        defer {
            queue.inDatabase { unsafe sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
            withExtendedLifetime(progress) {}
        }
        return try work()
    }
}
