package import Logging
import PhotoLibrary
import StickerPipeline
package import SystemPackage
import UnixSignals

/// Makes again what is derived: stickers, indexes and all that comes with them. The daemon does it where one is running.
package struct Repair: Sendable {
    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger

    /// How often its work is looked at.
    private static let look = Duration.milliseconds(200)
    /// How long a running daemon has.
    private static let patience = Duration.seconds(60)
    private static let failure = "repair"

    /// - Parameter executable: a stickerd binary for the workers.
    package init(settings: Settings, executable: FilePath, logger: Logger) {
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Repairs what can be, and looks again. Nothing is repaired while the outbox is away: nobody knows what is missing.
    ///
    /// - Throws: `LibraryError` where the Library cannot be written, `Refused`, `WorkerError` where no
    ///   worker starts, or what `Verification.run` throws.
    package func run(_ found: Verification) async throws -> Verification {
        guard !found.isOutboxAway else { return found }
        var stickers: [StickerRecord] = []
        var files: [InboxPath] = []
        for problem in found.problems {
            switch problem.cure {
            case .makeAgain(let sticker): stickers.append(sticker)
            case .tryAgain(let path): files.append(path)
            case .writeIndex, .none: break
            }
        }
        let daemon = try PhotoLibrary.requestRepair(in: settings.state, stickers: stickers, files: files)
        if found.isRunning {
            guard DaemonWaking.tell(daemon).isTold else { throw Refused() }
            return try await waitForDaemon()
        }
        try await repair()
        return try await Verification.run(settings)
    }

    /// A daemon is running that this user may not tell.
    package struct Refused: Error {}

    private func waitForDaemon() async throws -> Verification {
        let end = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            let isDrained = try PhotoLibrary.status(in: settings.state).isDrained
            let now = try await Verification.run(settings)
            let isDone = isDrained && now.problems.allSatisfy { $0.cure == .none }
            guard !isDone, .now < end else { return now }
            try await Task.sleep(for: Self.look)
        }
    }

    /// The pipeline without its Inbox, until nothing waits.
    private func repair() async throws {
        let stopSignals = await StopSignals([.sigterm, .sigint])
        let library = try PhotoLibrary(in: settings.state, outbox: settings.resolvedOutbox.string)
        // A photo in progress at that moment must not become a suspect.
        async let _ = stopSignals.endAtOnce(library)
        defer { stopSignals.untrap() }
        _ = try await library.recover(originals: settings.originals.mode)
        let outbox = try Outbox(folder: settings.outbox, library: library)
        _ = try await outbox.audit { error in
            logger.error("Cannot look into a pack's folder", metadata: ["reason": "\(error)"])
        }
        let model = try settings.openModel()
        let pool = WorkerPool(executable: executable, count: settings.workerCount, model: model, logger: logger)
        let packs = PackWriter(library: library, outbox: outbox, settings: settings.packs, logger: logger)
        let changes = Wakeup()
        let obstacles = Obstacles()
        let processor = try Processor(
            inbox: settings.inbox, library: library, outbox: outbox, workers: pool,
            workerCount: settings.workerCount, settings: settings.processing(model), obstacles: obstacles,
            logger: logger
        ) {
            changes.ring()
        }
        try await withThrowingDiscardingTaskGroup { group in
            for work in [pool.run, processor.run] as [@Sendable () async throws -> Void] {
                group.addTask {
                    do {
                        try await work()
                    } catch {
                        // Nobody else ends the wait below.
                        obstacles.set("\(error)", for: Self.failure)
                        changes.ring()
                        throw error
                    }
                }
            }
            changes.ring()
            for await _ in changes {
                // A full disk is not waited for.
                if try await library.status().isDrained || !obstacles.reasons.isEmpty { break }
            }
            await processor.stop()
            await pool.stop()
        }
        packs.stop()
        try await packs.run()
        try library.close()
    }
}
