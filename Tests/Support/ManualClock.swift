package import LinuxIO
import Synchronization
package import SystemPackage

/// A clock that stands still until a test advances it.
package final class ManualClock: MonotonicClock {
    private struct Sleep {
        let deadline: ContinuousClock.Instant
        let wake: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State {
        var now = ContinuousClock.now
        var sleeps: [Int: Sleep] = [:]
        /// How many sleeps have begun.
        var begun = 0
        /// Events that were read and not yet returned.
        var events: [InotifyEvent] = []
        /// Whether the last read returned an event.
        var returnedEvent = false
    }

    /// A task that sleeps forever keeps its clock, which keeps the task: a leak, were it not for this.
    private static let all = Mutex<[ManualClock]>([])
    private let state = Mutex(State())
    private let returnsSingleEvents: Bool
    private let lookTime: Duration

    /// - Parameters:
    ///   - returnsSingleEvents: whether each read of events returns only one, and the next that does not wait none, as
    ///     if the reader were faster than the kernel.
    ///   - lookTime: how much time each look at the clock takes.
    package init(returnsSingleEvents: Bool = false, lookTime: Duration = .zero) {
        (self.returnsSingleEvents, self.lookTime) = (returnsSingleEvents, lookTime)
        Self.all.withLock { $0.append(self) }
    }

    package var now: ContinuousClock.Instant {
        state.withLock { state in
            state.now += lookTime
            return state.now
        }
    }

    package var minimumResolution: Duration { .zero }

    /// The end of the next sleep.
    package var next: ContinuousClock.Instant? { state.withLock { $0.sleeps.values.map(\.deadline).min() } }

    /// How many sleeps and polls have begun.
    package var begun: Int { state.withLock(\.begun) }

    /// How long each sleep and poll still lasts, the shortest first.
    package var sleeps: [Duration] {
        state.withLock { state in state.sleeps.values.map { $0.deadline - state.now }.sorted() }
    }

    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let number = nextNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                begin(Sleep(deadline: deadline) { continuation.resume(with: $0) }, number)
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    package func next(
        of inotify: Inotify, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> [InotifyEvent] {
        guard returnsSingleEvents else { return try read(inotify, until: deadline) }
        let wasEvent = state.withLock { state in
            defer { state.returnedEvent = false }
            return state.returnedEvent
        }
        if wasEvent, deadline <= now { return [] }
        var events = state.withLock(\.events)
        if events.isEmpty { events = try read(inotify, until: deadline) }
        state.withLock { state in
            state.events = Array(events.dropFirst())
            state.returnedEvent = !events.isEmpty
        }
        return Array(events.prefix(1))
    }

    private func read(_ inotify: Inotify, until deadline: ContinuousClock.Instant) throws(Errno) -> [InotifyEvent] {
        guard deadline > now else { return try inotify.next(timeout: .zero) }
        let number = nextNumber()
        begin(Sleep(deadline: deadline) { _ in inotify.wake() }, number)
        defer { state.withLock { $0.sleeps[number] = nil } }
        return try inotify.next(timeout: nil)
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    private func begin(_ sleep: Sleep, _ number: Int) {
        let isOver = state.withLock { state in
            if sleep.deadline > state.now { state.sleeps[number] = sleep }
            return sleep.deadline <= state.now
        }
        if isOver { sleep.wake(.success(())) }
    }

    private func cancel(_ number: Int) {
        state.withLock { $0.sleeps.removeValue(forKey: number) }?.wake(.failure(CancellationError()))
    }

    package func advance(by duration: Duration) { advance(to: now + duration) }

    package func advance(to time: ContinuousClock.Instant) {
        let over = state.withLock { state in
            state.now = max(state.now, time)
            let over = state.sleeps.filter { $0.value.deadline <= state.now }
            for number in over.keys { state.sleeps[number] = nil }
            return over.values.sorted { $0.deadline < $1.deadline }
        }
        for sleep in over { sleep.wake(.success(())) }
    }

    /// Advances from sleep to sleep until the task is cancelled.
    package func run() async {
        while !Task.isCancelled { _ = try? await advance(upTo: .seconds(1 << 30)) { false } }
    }

    /// Advances from sleep to sleep until the condition holds. Returns false if `limit` of this clock, or half a
    /// minute of real time without a sleep, is not enough.
    package func advance(
        upTo limit: Duration = .seconds(300), until condition: () async throws -> Bool
    ) async throws -> Bool {
        let end = now + limit
        var (begun, hangs) = (0, ContinuousClock.now + .seconds(30))
        while try await !condition() {
            guard .now < hangs else { return false }
            try await Task.sleep(for: .milliseconds(1))
            let count = self.begun
            defer { begun = count }
            // A task that is about to sleep may have the earliest deadline.
            guard count == begun, let next, next <= end else { continue }
            advance(to: next)
            hangs = .now + .seconds(30)
        }
        return true
    }
}
