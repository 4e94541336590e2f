import Synchronization

/// Sleeps between two tries, and sleeps no longer once somebody has ended it for good.
final class Pause: Sendable {
    private struct State {
        var isEnded = false
        var sleep: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// One at a time. Cut short by `end`, or by cancellation of the caller.
    func sleep(for duration: Duration) async {
        let sleep = Task { _ = try? await Task.sleep(for: duration) }
        let isEnded = state.withLock { state in
            state.sleep = sleep
            return state.isEnded
        }
        if isEnded { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Wakes whoever sleeps; later calls of `sleep` return at once.
    func end() {
        let sleep = state.withLock { state in
            state.isEnded = true
            return state.sleep
        }
        sleep?.cancel()
    }
}
