/// A doorbell: rung from anywhere, heard by one listener, however often it rang meanwhile.
package struct Wakeup: AsyncSequence, Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() { continuation.yield() }

    /// Ends the listener's loop after what rang before.
    package func finish() { continuation.finish() }

    package func makeAsyncIterator() -> AsyncStream<Void>.Iterator { stream.makeAsyncIterator() }
}
