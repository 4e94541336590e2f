package import LinuxIO
import Synchronization

/// Sleeps that `end` cuts short, present and future ones.
package final class Pause: Sendable {
    /// Measures the sleeps.
    package let clock: any MonotonicClock
    private let state = Mutex((isEnded: false, sleeps: Set<Task<Void, Never>>()))

    package init(_ clock: any MonotonicClock) { self.clock = clock }

    /// Returns early on `end` or if the caller is cancelled.
    package func sleep(for duration: Duration) async {
        let end = clock.now + duration
        let sleep = Task { [clock] in _ = try? await clock.sleep(until: end, tolerance: nil) }
        let isEnded = state.withLock { state in
            state.sleeps.insert(sleep)
            return state.isEnded
        }
        if isEnded { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { _ = $0.sleeps.remove(sleep) }
    }

    /// Whether `end` was called.
    package var isEnded: Bool { state.withLock(\.isEnded) }

    /// Ends all sleeps; later calls of `sleep` return at once.
    package func end() {
        let sleeps = state.withLock { state in
            state.isEnded = true
            return state.sleeps
        }
        for sleep in sleeps { sleep.cancel() }
    }
}
