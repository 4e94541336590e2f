import Conditions
import Exports
import LinuxIO
import Logging
import Outbox
import Packs
import Processing
import ServiceLifecycle
import StickerPipeline

extension ClosureService {
    /// Calls `stop` once when a graceful shutdown begins; `run` must end then.
    init(_ run: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () async -> Void) {
        self.init {
            let watch = Task {
                try? await gracefulShutdown()
                if !Task.isCancelled { await stop() }
            }
            defer { watch.cancel() }
            try await run()
        }
    }

    /// Cancels `run` when a graceful shutdown begins. The next start does what was left undone.
    init(cancelling run: @escaping @Sendable () async throws -> Void) {
        self.init {
            do { try await cancelWhenGracefulShutdown(run) } catch is CancellationError {}
        }
    }
}

/// The parts of the pipeline that need more than a start and a stop.
extension Pipeline {
    /// At a stop: systemd kills the service TimeoutStopSec= after the signal.
    private static let maxTimeToWritePacks: Duration = .seconds(20)

    /// Writes the packs' files, after the outbox was compared with the Library: before, an index would lack stickers.
    func packService(_ logger: Logger) -> ClosureService {
        ClosureService {
            var backoff = Backoff(.folderAway)
            while try await !audit(isStart: true, logger) {
                guard !Task.isShuttingDownGracefully else { return }
                let wait = backoff.next()
                try? await cancelWhenGracefulShutdown { try await conditions.clock.sleep(for: wait) }
            }
            async let _ = resyncDaily()
            try await ClosureService {
                try await packs.run()
            } stop: {
                packs.stop(within: Self.maxTimeToWritePacks)
            }.run()
        }
    }

    private func resyncDaily() async {
        while (try? await conditions.clock.sleep(for: .seconds(86_400))) != nil { packs.resync() }
    }

    /// Has files that other programs deleted from the outbox made again. `packService` finds what is missing at the
    /// start.
    func outboxWatchService(_ logger: Logger) throws -> ClosureService {
        let watch = try OutboxWatch(outbox: outbox, library: library, clock: conditions.clock, logger: logger)
        return ClosureService(cancelling: {
            try await watch.run {
                guard try await audit(isStart: false, logger) else { return }
                processor.wake()
                packs.recheck()
                exports.recheck()
            } hasLost: {
                processor.wake()
                packs.wake()
            }
        })
    }

    /// Compares the outbox with the Library, at the start after taking over what only the outbox knows. Returns false
    /// if the outbox is unavailable: missing stickers cannot be detected then.
    private func audit(isStart: Bool, _ logger: Logger) async throws -> Bool {
        do {
            if isStart { try await outbox.takeOver(logger) }
            let losses = try await outbox.audit(tidies: isStart) { error in
                logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"])
            }
            losses.logLost([:], logger)
            guard losses.remade > 0 else { return true }
            logger.notice(
                "Stickers are missing from the outbox, or were changed there, and will be remade",
                metadata: ["stickers": "\(losses.remade)"])
            processor.wake()
            return true
        } catch let error as OutboxError {
            // If the outbox is unavailable, the Processor meets the same condition and logs it.
            if !error.isAway { logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"]) }
            return false
        }
    }
}
