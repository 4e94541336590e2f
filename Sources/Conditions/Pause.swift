package import LinuxIO
import Synchronization

/// Sleeps that `end` cuts short, present and future ones; `interrupt` ends those that allow it.
package final class Pause: Sendable {
    private struct State {
        var isEnded = false
        var sleeps: [Int: Task<Void, Never>] = [:]
        var next = 0
        var interruptions = 0
        var interruptible: Set<Int> = []
    }

    /// Measures the sleeps.
    package let clock: any MonotonicClock
    private let state = Mutex(State())

    package init(_ clock: any MonotonicClock) { self.clock = clock }

    /// Returns early on `end` or if the caller is cancelled.
    ///
    /// - Parameters:
    ///   - duration: the longest time.
    ///   - mark: a value of `interruptions`: returns early once that has changed. nil for a sleep without
    ///     interruptions.
    package func sleep(for duration: Duration, since mark: Int? = nil) async {
        let end = clock.now + duration
        let sleep = Task { [clock] in _ = try? await clock.sleep(until: end, tolerance: nil) }
        let (number, isEnded) = state.withLock { state in
            state.next += 1
            state.sleeps[state.next] = sleep
            if mark != nil { state.interruptible.insert(state.next) }
            return (state.next, state.isEnded || mark.map { $0 != state.interruptions } ?? false)
        }
        if isEnded { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { state in
            state.sleeps[number] = nil
            state.interruptible.remove(number)
        }
    }

    /// How often `interrupt` was called.
    package var interruptions: Int { state.withLock(\.interruptions) }

    /// Ends all present sleeps that allow it.
    package func interrupt() {
        let sleeps = state.withLock { state in
            state.interruptions += 1
            return state.interruptible.compactMap { state.sleeps[$0] }
        }
        for sleep in sleeps { sleep.cancel() }
    }

    /// Whether `end` was called.
    package var isEnded: Bool { state.withLock(\.isEnded) }

    /// Ends all sleeps; later calls of `sleep` return at once.
    package func end() {
        let sleeps = state.withLock { state in
            state.isEnded = true
            return state.sleeps
        }
        for sleep in sleeps.values { sleep.cancel() }
    }
}
