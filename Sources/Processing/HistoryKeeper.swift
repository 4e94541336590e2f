package import Foundation
package import LinuxIO
package import Logging
package import PhotoLibrary

/// Deletes the history of photos that left the inbox long ago, in small batches and only while the queue is empty.
package actor HistoryKeeper {
    /// The most rows deleted in one transaction, which blocks other calls of the Library.
    private static let batch = 200
    /// The pause between two transactions.
    private static let rest = Duration.milliseconds(100)
    /// The time between two runs, and before the first.
    private static let interval = Duration.seconds(600)

    private let library: Library
    private let clock: any MonotonicClock
    private let logger: Logger
    private var days: Int

    /// - Parameter days: how long history is kept; 0 is indefinitely.
    package init(library: Library, days: Int, clock: any MonotonicClock, logger: Logger) {
        self.clock = clock
        self.library = library
        self.days = days
        self.logger = logger
    }

    /// Applies from the next run.
    package func update(days: Int) { self.days = days }

    /// Deletes old history periodically until the task is cancelled.
    ///
    /// - Throws: the errors of the Library.
    package func run() async throws {
        var last = clock.now
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.interval)
            let now = clock.now
            if !Task.isCancelled { try await forget(at: .now, after: now - last) }
            last = now
        }
    }

    /// Deletes the history that has expired, and stops as soon as a photo is waiting.
    ///
    /// - Parameters:
    ///   - now: by the wall clock, which may be wrong for a while.
    ///   - time: since the last call.
    /// - Returns: how many rows were deleted.
    @discardableResult
    package func forget(at now: Date, after time: Duration) async throws -> Int {
        guard days > 0, let limit = try await library.historyLimit(days: days, at: now, after: time) else { return 0 }
        var count = 0
        while !Task.isCancelled, try await library.status().isDrained {
            let forgotten = try await library.forgetHistory(before: limit, limit: Self.batch)
            count += forgotten
            if forgotten < Self.batch { break }
            try? await clock.sleep(for: Self.rest)
        }
        if count > 0 {
            logger.info("Deleted the history of photos that left the inbox", metadata: ["rows": "\(count)"])
        }
        return count
    }
}
