package import Systemd
import Synchronization

/// Asks the service manager for more time while a long start makes progress, so that it is not killed and restarted.
package final class StartProgress: Sendable {
    /// The time between two requests.
    private static let interval = Duration.seconds(5)
    /// The time that each request asks for: a start without progress for this long has failed.
    private static let request = Duration.seconds(120)

    private let notifier: ServiceNotifier
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    package init(_ notifier: ServiceNotifier) {
        self.notifier = notifier
    }

    /// Records that the start has made progress. Cheap; callable from any thread.
    package func note(at now: ContinuousClock.Instant = .now) {
        let isDue = last.withLock { last in
            if let last, last.duration(to: now) < Self.interval { return false }
            last = now
            return true
        }
        if isDue { notifier.extendTimeout(by: Self.request) }
    }
}
