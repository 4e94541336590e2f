import LinuxIO
import ServiceLifecycle
import StickerPipeline
import Systemd

/// Feeds systemd's watchdog, but only while the pipeline moves: a process that is stuck is one to be restarted, a
/// process that waits for its disk is not. When the shutdown begins, it says so.
struct WatchdogService: Service {
    let processor: Processor
    let inbox: Inbox
    let obstacles: Obstacles
    let notifier: ServiceNotifier

    func run() async throws {
        defer { notifier.stopping(status: "Finishing the photos in hand") }
        guard let interval = ServiceNotifier.watchdogInterval else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // The Inbox does not answer while it waits for the Library, and the Library may wait for its disk.
                let goesRound =
                    inbox.isResponsive() || obstacles.has(Obstacles.library) || DiskWaits.shared.isWaiting
                if goesRound, await !processor.isStuck() { notifier.alive() }
                try? await Task.sleep(for: interval)
            }
        }
    }
}
