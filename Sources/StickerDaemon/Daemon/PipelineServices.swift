import Conditions
import Inbox
import LinuxIO
import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
import Workers

/// The pipeline's parts as services that end on a graceful shutdown.

struct WorkerService: Service {
    let pool: WorkerPool

    func run() async throws {
        try await whenShuttingDown {
            await pool.stop()
        } whileRunning: {
            try await pool.run()
        }
    }
}

struct ProcessorService: Service {
    let processor: Processor

    func run() async throws {
        try await whenShuttingDown {
            await processor.stop()
        } whileRunning: {
            try await processor.run()
        }
    }
}

/// Stops waiting for the Library's disk on shutdown.
struct LibraryService: Service {
    let library: PhotoLibrary

    func run() async throws {
        try await gracefulShutdown()
        library.endPatience()
    }
}

struct InboxService: Service {
    let inbox: Inbox

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await inbox.run() }
        } catch is CancellationError {
            // A Library call was interrupted; the next start's scan finds what it would have recorded.
        }
    }
}

struct PackService: Service {
    let pipeline: Pipeline
    let logger: Logger

    func run() async throws {
        var backoff = Backoff(.folderAway)
        while try await !audit() {
            // Nothing may be written before the Library has what the indexes list.
            guard !Task.isShuttingDownGracefully else { return }
            let wait = backoff.next()
            try? await cancelWhenGracefulShutdown { try await pipeline.conditions.clock.sleep(for: wait) }
        }
        try await withThrowingTaskGroup { group in
            group.addTask {
                while (try? await pipeline.conditions.clock.sleep(for: Self.resyncInterval)) != nil {
                    pipeline.packs.resync()
                }
            }
            try await whenShuttingDown {
                pipeline.packs.stop()
            } whileRunning: {
                try await pipeline.packs.run()
            }
            group.cancelAll()
        }
    }

    private static let resyncInterval = Duration.seconds(86_400)

    /// Returns false if the outbox is unavailable: missing stickers cannot be detected then.
    private func audit() async throws -> Bool {
        do {
            try await pipeline.outbox.takeOver(into: pipeline.library, logger)
            let missing = try await pipeline.outbox.audit { error in
                logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"])
            }
            guard missing > 0 else { return true }
            logger.notice(
                "Stickers are missing from the outbox, or were changed there, and will be remade",
                metadata: ["photos": "\(missing)"])
            pipeline.processor.wake()
            return true
        } catch let error as OutboxError {
            // If the outbox is unavailable, the Processor meets the same condition and logs it.
            if !error.isAway { logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"]) }
            return false
        }
    }
}

/// Keeps the packs' exports. No error of it ends the daemon.
struct ExportService: Service {
    let exports: ExportKeeper

    func run() async throws {
        await whenShuttingDown {
            exports.stop()
        } whileRunning: {
            await exports.run()
        }
    }
}

/// Has files that other programs deleted from the outbox made again. What is missing at the start, `PackService` finds.
struct OutboxWatchService: Service {
    let pipeline: Pipeline
    let watch: OutboxWatch
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await watch.run {
                    try await audit()
                } hasLost: {
                    pipeline.processor.wake()
                    pipeline.packs.wake()
                }
            }
        } catch is CancellationError {
            // The next start finds what is missing.
        }
    }

    private func audit() async throws {
        do {
            let missing = try await pipeline.outbox.audit(tidies: false) { error in
                logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"])
            }
            if missing > 0 {
                logger.notice(
                    "Stickers are missing from the outbox, or were changed there, and will be remade",
                    metadata: ["photos": "\(missing)"])
            }
            pipeline.processor.wake()
            pipeline.packs.recheck()
            pipeline.exports.recheck()
        } catch let error as OutboxError where error.isAway {
            // It is audited when it is back.
        }
    }
}

struct OriginalsService: Service {
    let originals: Originals
    let processor: Processor

    func run() async throws {
        try await whenShuttingDown {
            originals.stop()
        } whileRunning: {
            try await originals.run { processor.wake() }
        }
    }
}

struct ReporterService: Service {
    let reporter: Reporter
    let bell: Wakeup

    func run() async throws {
        try await whenShuttingDown {
            bell.finish()
        } whileRunning: {
            try await reporter.run(changes: bell)
        }
    }
}

struct HistoryService: Service {
    let history: HistoryKeeper

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await history.run() }
        } catch is CancellationError {
            // The next start resumes this.
        }
    }
}

/// Runs `operation`, and calls `stop` once when a graceful shutdown begins; `operation` must end then.
private func whenShuttingDown<Failure: Error>(
    _ stop: @escaping @Sendable () async -> Void,
    whileRunning operation: @Sendable () async throws(Failure) -> Void
) async throws(Failure) {
    let watch = Task {
        try? await gracefulShutdown()
        if Task.isCancelled { return }
        await stop()
    }
    defer { watch.cancel() }
    try await operation()
}
