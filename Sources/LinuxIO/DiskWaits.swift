import Synchronization

/// Tracks the calls that wait for a disk, and since when, to distinguish a slow disk from a hung process.
///
/// fsync(2) on a saturated USB disk, or a read from one that sleeps or from a network file system, can take minutes,
/// and neither fails nor can be interrupted.
package final class DiskWaits: Sendable {
    /// All calls of this process that sync files or use the Library, and the jobs of threads that read and write files.
    package static let shared = DiskWaits()

    /// Shorter waits are normal and do not count.
    private static let notable = Duration.seconds(1)
    /// The longest wait for one call; beyond this, the disk counts as hung.
    package static let longest = Duration.seconds(600)

    /// One waiting call.
    package struct Wait: Sendable {
        fileprivate let number: Int
    }

    private struct State: Sendable {
        var next = 0
        var begun: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Records the start of a wait. `end` must follow.
    package func begin(at time: ContinuousClock.Instant = .now) -> Wait {
        state.withLock { state in
            state.next += 1
            state.begun[state.next] = time
            return Wait(number: state.next)
        }
    }

    package func end(_ wait: Wait) {
        state.withLock { _ = $0.begun.removeValue(forKey: wait.number) }
    }

    /// Runs `call`, which may wait for a disk.
    package func during<Value: ~Copyable, Failure: Error>(_ call: () throws(Failure) -> Value) throws(Failure) -> Value
    {
        let wait = begin()
        defer { end(wait) }
        return try call()
    }

    /// Whether any call has been waiting for at least `notable` and at most `longest`.
    package var isWaiting: Bool {
        let begun = state.withLock { Array($0.begun.values) }
        return begun.contains { (Self.notable...Self.longest).contains($0.duration(to: .now)) }
    }
}
