import ServiceLifecycle
import StickerPipeline
import Systemd

/// Feeds systemd's watchdog, but only while the pipeline moves: a process that is stuck is one to be restarted. When the
/// shutdown begins, it says so.
struct WatchdogService: Service {
    let processor: Processor
    let inbox: Inbox
    let notifier: ServiceNotifier

    func run() async throws {
        defer { notifier.stopping(status: "Finishing the photos in hand") }
        guard let interval = ServiceNotifier.watchdogInterval else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            var last = -1
            while !Task.isCancelled {
                let progress = await processor.progress
                // An answer from the Inbox shows that its thread gets round; the Processor must end or take up a file
                // between two looks, if it has any. A photo is limited to less than that.
                if inbox.isResponsive(), await !processor.isExpectedToMove || progress != last { notifier.alive() }
                last = progress
                try? await Task.sleep(for: interval)
            }
        }
    }
}
