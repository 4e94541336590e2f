package import GRDB
import GRDBSQLite

/// Calls back during a long SQLite statement, such as a check or a migration of the whole file.
package final class SQLiteProgress {
    /// Instructions of SQLite's virtual machine between two calls: a few milliseconds.
    private static let steps: Int32 = 1_000_000

    private let report: @Sendable () -> Void

    /// - Parameter report: called on the connection's queue; must be quick.
    package init(_ report: @escaping @Sendable () -> Void) { self.report = report }

    /// Runs `work` on the connection of `queue`. No other thread may use the connection meanwhile.
    package static func reporting<Value>(
        _ report: @escaping @Sendable () -> Void, of queue: DatabaseQueue, during work: () throws -> Value
    ) throws -> Value {
        let progress = SQLiteProgress(report)
        progress.attach(to: queue, every: steps)
        defer { progress.detach(from: queue) }
        return try work()
    }

    /// Calls back each time that the connection of `queue` has run this many instructions, until `detach`.
    package func attach(to queue: DatabaseQueue, every instructions: Int32) {
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

    /// Ends `attach`.
    package func detach(from queue: DatabaseQueue) {
        queue.inDatabase { unsafe sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
    }
}
