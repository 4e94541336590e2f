import Inbox
import Synchronization

/// Sees the calls of the Library that the Inbox is about to make, and can block it there.
final class InboxObserver: Sendable {
    private struct State {
        var isStalled = false
        var stalled: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    private let onKnown: @Sendable () -> Void
    private let onRecord: @Sendable () -> Void

    /// - Parameters:
    ///   - onKnown: called each time the Inbox queries files of a folder: the known ones, then those that it misses.
    ///   - onRecord: called before arrivals are recorded.
    init(_ onKnown: @escaping @Sendable () -> Void = {}, onRecord: @escaping @Sendable () -> Void = {}) {
        self.onKnown = onKnown
        self.onRecord = onRecord
    }

    func see(_ call: InboxCall) async {
        await wait()
        switch call {
        case .known: onKnown()
        case .record: onRecord()
        case .forget: break
        }
    }

    func stall() {
        state.withLock { $0.isStalled = true }
    }

    func resume() {
        let stalled = state.withLock { state in
            defer { state.stalled = [] }
            state.isStalled = false
            return state.stalled
        }
        for continuation in stalled { continuation.resume() }
    }

    /// Returns once the Inbox is blocked.
    func untilStalled() async {
        while state.withLock({ $0.stalled.isEmpty }) { await Task.yield() }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isStalled { state.stalled.append(continuation) }
                return !state.isStalled
            }
            if goesOn { continuation.resume() }
        }
    }
}
