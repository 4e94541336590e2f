import Dispatch
import Glibc
import Synchronization
package import SystemPackage

/// Runs work in order on a thread of its own, and drops what exceeds its limit: for work that must not delay its
/// callers. The thread ends with the process.
package final class DroppingThread: Sendable {
    private struct State: Sendable {
        var waiting: [(cost: Int, work: @Sendable () -> Void)] = []
        /// The total cost of unfinished work.
        var cost = 0
        var dropped = 0
    }

    private let limit: Int
    private let reportDropped: @Sendable (Int) -> Void
    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - name: of the thread, for ps and gdb; 15 bytes are kept.
    ///   - limit: of the costs of all that waits.
    ///   - reportDropped: called on the thread, once there is room again, with the number of pieces that were dropped.
    ///     May append work.
    /// - Throws: if no thread is available.
    package init(name: String, limit: Int, reportDropped: @escaping @Sendable (Int) -> Void) throws(Errno) {
        self.limit = limit
        self.reportDropped = reportDropped
        try DetachedThread.start(name: name) { [self] in run() }
    }

    /// Never blocks.
    package func append(cost: Int, _ work: @escaping @Sendable () -> Void) {
        let wasIdle = state.withLock { state in
            guard state.cost + cost <= limit else {
                state.dropped += 1
                return false
            }
            state.cost += cost
            state.waiting.append((cost, work))
            return state.waiting.count == 1
        }
        if wasIdle { changed.signal() }
    }

    /// Waits until all work has ended, but no longer than `time`.
    package func finish(within time: Duration) {
        let end = ContinuousClock.now + time
        while state.withLock({ $0.cost + $0.dropped > 0 }), .now < end { usleep(Self.pauseMicroseconds) }
    }

    private static let pauseMicroseconds: UInt32 = 2000

    private func run() {
        while true {
            changed.wait()
            let work = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for (cost, work) in work {
                work()
                state.withLock { $0.cost -= cost }
            }
            let dropped = state.withLock { state in
                defer { state.dropped = 0 }
                return state.dropped
            }
            if dropped > 0 { reportDropped(dropped) }
        }
    }
}
