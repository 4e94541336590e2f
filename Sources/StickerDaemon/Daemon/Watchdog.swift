import Conditions
import Inbox
import LinuxIO
import Processing
import ServiceLifecycle
import Synchronization
package import Systemd

/// Pings systemd's watchdog while the pipeline responds: systemd should restart a hung process, but not one that waits
/// for its disk. Reports the beginning of a shutdown.
struct WatchdogService: Service {
    let processor: Processor
    let inbox: InboxWatcher
    let conditions: CurrentConditions
    let notifier: ServiceNotifier

    /// How long an Inbox that does not respond may be waiting for the disk. Limited, because on a saturated disk some
    /// call is always waiting.
    private static let longestDiskWait = Duration.seconds(900)

    func run() async throws {
        defer { notifier.stopping(status: "Finishing the photos in progress") }
        guard let interval = ServiceNotifier.watchdogInterval else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            let clock = conditions.clock
            var lastAnswer = clock.now
            while !Task.isCancelled {
                // The Inbox cannot respond while it waits for the Library, which may be waiting for its disk.
                let answers = inbox.isResponsive()
                if answers { lastAnswer = clock.now }
                let mayWaitForDisk =
                    DiskWaits.shared.isWaiting && lastAnswer.duration(to: clock.now) < Self.longestDiskWait
                let isInboxAlive = answers || conditions.has(.library) || mayWaitForDisk
                if isInboxAlive, await !processor.isStuck() { notifier.alive() }
                try? await clock.sleep(for: interval)
            }
        }
    }
}

/// Asks the service manager for more time while a long start makes progress; otherwise it would kill the process.
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

    /// Counts waiting for a disk as progress, until the task is cancelled.
    package func noteDiskWaits() async {
        while !Task.isCancelled {
            if DiskWaits.shared.isWaiting { note() }
            try? await Task.sleep(for: Self.interval)
        }
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
