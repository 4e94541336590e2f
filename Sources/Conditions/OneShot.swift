import Synchronization

/// A value that is set once, and that any number of tasks may await.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case set(Value)
    }

    private let state = Mutex<State>(.waiting([]))

    package init() {}

    /// The first value wins; later ones are dropped.
    package func set(_ value: Value) {
        let waiters: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .waiting(let waiters) = state else { return [] }
            state = .set(value)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value, even if the caller is cancelled: the owner must set it on every path.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let known: Value? = state.withLock { state in
                    switch state {
                    case .set(let value): return value
                    case .waiting(let waiters):
                        state = .waiting(waiters + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
