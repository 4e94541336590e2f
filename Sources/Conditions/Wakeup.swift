package import LinuxIO

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
