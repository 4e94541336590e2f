import Conditions
import LinuxIO
import PhotoLibrary

/// When a PackWriter may write: rarely enough that it takes at most a tenth of the time, and soon once the queue is
/// empty.
struct WriteRhythm {
    /// The shortest time from one write to the next.
    private static let minInterval = Duration.milliseconds(200)
    /// The next write starts this many times as long after the last start as that write took.
    private static let restFactor = 10
    /// The longest wait once the queue is empty.
    private static let maxDelayWhenDrained = Duration.milliseconds(700)
    /// How often a longer wait checks whether the queue is empty.
    private static let checkInterval = Duration.milliseconds(100)
    /// How long a write waits, after its rest, for the queue to become empty: a photo that arrives alone then causes
    /// one write, when it is finished.
    private static let gatherTime = Duration.milliseconds(300)

    let library: Library
    /// Ends with the writer.
    let pause: Pause
    /// Ends a wait for the queue that may be over.
    let queueNews: Wakeup
    private var next: ContinuousClock.Instant

    init(library: Library, pause: Pause, queueNews: Wakeup) {
        (self.library, self.pause, self.queueNews) = (library, pause, queueNews)
        next = pause.clock.now
    }

    /// Sets when the next write may begin.
    mutating func wrote(from start: ContinuousClock.Instant, during time: Duration) {
        next = start.advanced(by: max(Self.minInterval, time * Self.restFactor))
    }

    /// Returns when a write may begin.
    func rest() async throws {
        while !pause.isEnded, !Task.isCancelled {
            let wait = pause.clock.now.duration(to: next)
            guard wait > .zero else { break }
            if try await library.status().isDrained {
                await pause.sleep(for: min(wait, Self.maxDelayWhenDrained))
                break
            }
            await pause.sleep(for: min(wait, Self.checkInterval))
        }
        // A photo that arrived during the rest may still be in progress.
        try await gather()
    }

    /// Waits until the queue is empty, or for `gatherTime`.
    private func gather() async throws {
        let end = pause.clock.now.advanced(by: Self.gatherTime)
        guard !pause.isEnded, try await !library.status().isDrained else { return }
        queueNews.ring(after: Self.gatherTime, of: pause.clock)
        for await _ in queueNews {
            if pause.isEnded || pause.clock.now >= end { return }
            if try await library.status().isDrained { return }
        }
    }
}
