package import LinuxIO
import Synchronization

/// A coalescing wake-up signal for one consumer.
package struct Wakeup: AsyncSequence, Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// May be called from any thread.
    package func ring() { continuation.yield() }

    /// Rings after this time, unless the consumer has finished by then. Returns at once.
    package func ring(after duration: Duration, of clock: any MonotonicClock) {
        let end = clock.now + duration
        Task {
            try? await clock.sleep(until: end, tolerance: nil)
            ring()
        }
    }

    /// Ends the consumer's loop after a pending signal; later signals have no effect.
    package func finish() { continuation.finish() }

    package func makeAsyncIterator() -> AsyncStream<Void>.Iterator { stream.makeAsyncIterator() }
}

/// Sleeps that `end` cuts short, present and future ones; `interrupt` ends those that allow it.
final class Pause: Sendable {
    private struct State {
        var isEnded = false
        var sleeps: [Int: Task<Void, Never>] = [:]
        var next = 0
        var interruptions = 0
        var interruptible: Set<Int> = []
    }

    let clock: any MonotonicClock
    private let state = Mutex(State())

    init(_ clock: any MonotonicClock) { self.clock = clock }

    /// Returns early on `end` or if the caller is cancelled.
    ///
    /// - Parameters:
    ///   - duration: the longest time.
    ///   - mark: a value of `interruptions`: returns early once that has changed. nil for a sleep without
    ///     interruptions.
    func sleep(for duration: Duration, since mark: Int? = nil) async {
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
    var interruptions: Int { state.withLock(\.interruptions) }

    /// Ends all present sleeps that allow it.
    func interrupt() {
        let sleeps = state.withLock { state in
            state.interruptions += 1
            return state.interruptible.compactMap { state.sleeps[$0] }
        }
        for sleep in sleeps { sleep.cancel() }
    }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Ends all sleeps; later calls of `sleep` return at once.
    func end() {
        let sleeps = state.withLock { state in
            state.isEnded = true
            return state.sleeps
        }
        for sleep in sleeps.values { sleep.cancel() }
    }
}

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

/// One FIFO queue per key: turns with the same key run one after the other.
struct KeyedQueue {
    /// A place in the queue of one key.
    struct Turn: Sendable {
        fileprivate let key: String
        fileprivate let before: OneShot<Void>?
        fileprivate let finished = OneShot<Void>()

        /// Waits until all earlier turns have finished.
        func wait() async { await before?.value }
    }

    private var last: [String: OneShot<Void>] = [:]

    /// Joins the queue of `key`. Every turn must be finished, or later ones wait forever.
    mutating func join(_ key: String) -> Turn {
        let turn = Turn(key: key, before: last[key])
        last[key] = turn.finished
        return turn
    }

    mutating func finish(_ turn: Turn) {
        if last[turn.key] === turn.finished { last[turn.key] = nil }
        turn.finished.set(())
    }
}
