import Synchronization

/// Sleeps between two tries, and sleeps no longer once somebody has ended it for good.
final class Pause: Sendable {
    private struct State {
        var isEnded = false
        var sleeps: [Int: Task<Void, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Cut short by `end`, or by cancellation of the caller.
    func sleep(for duration: Duration) async {
        let sleep = Task { _ = try? await Task.sleep(for: duration) }
        let (number, isEnded) = state.withLock { state in
            state.next += 1
            state.sleeps[state.next] = sleep
            return (state.next, state.isEnded)
        }
        if isEnded { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { $0.sleeps[number] = nil }
    }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Wakes all who sleep; later calls of `sleep` return at once.
    func end() {
        let sleeps = state.withLock { state in
            state.isEnded = true
            return state.sleeps
        }
        for sleep in sleeps.values { sleep.cancel() }
    }
}
