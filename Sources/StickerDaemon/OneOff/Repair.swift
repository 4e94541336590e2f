package import Logging
import PhotoLibrary
import StickerPipeline
package import SystemPackage
import UnixSignals

/// Remakes derived files: stickers, indexes and everything that comes with them. A running daemon does the work.
package struct Repair: Sendable {
    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger

    /// The time between two checks of the progress.
    private static let checkInterval = Duration.milliseconds(200)
    /// How long a running daemon may take.
    private static let patience = Duration.seconds(60)

    /// - Parameter executable: a stickerd binary for the workers.
    package init(settings: Settings, executable: FilePath, logger: Logger) {
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Repairs what can be repaired, and verifies again. Repairs nothing while the outbox is unavailable, because
    /// missing files cannot be detected then.
    ///
    /// - Throws: `LibraryError` if the Library cannot be written, `Refused`, `WorkerError` if no worker starts, or what
    ///   `Verification.run` throws.
    package func run(_ found: Verification) async throws -> Verification {
        guard !found.isOutboxAway else { return found }
        var stickers: [StickerRecord] = []
        var files: [InboxPath] = []
        for problem in found.problems {
            switch problem.fix {
            case .remake(let sticker): stickers.append(sticker)
            case .retry(let path): files.append(path)
            case .writeIndex, .none: break
            }
        }
        let daemon = try PhotoLibrary.requestRepair(in: settings.state, stickers: stickers, files: files)
        if found.isRunning {
            guard DaemonWaking.wake(daemon).isSignaled else { throw Refused() }
            return try await waitForDaemon()
        }
        try await repair()
        return try await Verification.run(settings)
    }

    /// A daemon is running that this user may not signal.
    package struct Refused: Error {}

    private func waitForDaemon() async throws -> Verification {
        let end = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            let isDrained = try PhotoLibrary.status(in: settings.state).isDrained
            let now = try await Verification.run(settings)
            let isDone = isDrained && now.problems.allSatisfy { $0.fix == .none }
            guard !isDone, .now < end else { return now }
            try await Task.sleep(for: Self.checkInterval)
        }
    }

    /// Runs the pipeline without its Inbox until no photo waits.
    private func repair() async throws {
        let stopSignals = await StopSignals([.sigterm, .sigint])
        let library = try PhotoLibrary(in: settings.state, outbox: settings.resolvedOutbox.string)
        // A photo in progress at that moment must not become a suspect.
        async let _ = stopSignals.endAtOnce(library)
        defer { stopSignals.untrap() }
        _ = try await library.recover(originals: settings.originals.mode)
        let outbox = try Outbox(folder: settings.outbox, library: library)
        _ = try await outbox.audit { error in
            logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"])
        }
        let changes = Wakeup()
        let pipeline = try Pipeline(
            settings.pipeline(executable: executable, model: try settings.openModel()), library: library,
            outbox: outbox,
            conditions: Conditions(logger: logger), logger: logger
        ) { changes.ring() }
        try await withThrowingDiscardingTaskGroup { group in
            for work in [pipeline.workers.run, pipeline.processor.run] as [@Sendable () async throws -> Void] {
                group.addTask {
                    do {
                        try await work()
                    } catch {
                        // Ends the wait below.
                        changes.finish()
                        throw error
                    }
                }
            }
            changes.ring()
            for await _ in changes {
                // Does not wait for a condition such as a full disk.
                if try await library.status().isDrained || !pipeline.conditions.reasons.isEmpty { break }
            }
            await pipeline.processor.stop()
            await pipeline.workers.stop()
        }
        pipeline.packs.stop()
        try await pipeline.packs.run()
        try library.close()
    }
}
