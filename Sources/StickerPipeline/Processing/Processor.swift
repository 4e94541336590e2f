package import Logging
import PhotoCodecs
package import PhotoLibrary
import StickerStudio
package import SystemPackage

/// Takes files from the queue in their order, has each photo worked on once, and hands the stickers to the Outbox.
///
/// It keeps just enough photos in hand to keep every worker busy. A photo's trouble ends with the photo; trouble with
/// a pack's folder makes the photos of that pack wait in the queue; trouble with the Library ends `run()`.
package actor Processor {
    private let inbox: FilePath
    let library: PhotoLibrary
    let outbox: Outbox
    let workers: WorkerPool
    let logger: Logger
    private(set) var settings: ProcessorSettings
    private var inHand = PhotosInHand()
    /// By pack.
    var lookingUp = PhotosInHand()
    private let reader: PhotoReader
    private let width: Int
    private let changes: @Sendable () -> Void
    private let wakeup = Wakeup()
    private var stopping = false
    private var busy = 0
    private var held = HeldPacks()
    private var lastMove = ContinuousClock.now

    /// Files taken up beyond one per worker, so that the next one is open and hashed when a worker is free.
    private static let lookahead = 2
    /// What a file may take beyond the time its worker has: hashing, waiting for the disk.
    private static let slack = Duration.seconds(30)

    /// - Parameters:
    ///   - workerCount: how many processes `workers` keeps.
    ///   - changes: called after each change of a file's state.
    package init(
        inbox: FilePath, library: PhotoLibrary, outbox: Outbox, workers: WorkerPool, workerCount: Int,
        settings: ProcessorSettings, logger: Logger, changes: @escaping @Sendable () -> Void
    ) throws(Errno) {
        self.inbox = inbox
        self.library = library
        self.outbox = outbox
        self.workers = workers
        self.settings = settings
        self.logger = logger
        self.changes = changes
        reader = try PhotoReader()
        width = workerCount + Self.lookahead
    }

    /// There may be something in the queue.
    package nonisolated func wake() { wakeup.ring() }

    /// Takes up nothing more; `run()` returns when what is in hand is finished.
    package func stop() {
        stopping = true
        wakeup.ring()
    }

    /// Applies from the next photo on.
    package func update(_ settings: ProcessorSettings) async throws {
        try await remember(settings.recipe)
        self.settings = settings
    }

    /// Whether files are in hand and none was taken up or ended for longer than one may take.
    package var isStuck: Bool {
        busy > 0 && lastMove.duration(to: .now) > settings.timePerPhoto + Self.slack
    }

    /// Works until `stop()`, and returns when nothing is in hand any more.
    ///
    /// - Throws: what the Library throws where it fails: the process should end.
    package func run() async throws {
        try await remember(settings.recipe)
        try await withThrowingDiscardingTaskGroup { group in
            wakeup.ring()
            for await _ in wakeup {
                if stopping { break }
                try await takeUp(in: &group)
            }
        }
    }

    private func remember(_ recipe: Recipe) async throws {
        try await library.remember(recipe: recipe.identifier, content: recipe.canonicalText)
    }

    /// Claims what there is room for and starts the work on it.
    private func takeUp(in group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
        while busy < width, !stopping {
            let claims = try await library.claim(limit: width - busy, exceptPacks: held.packs)
            if claims.isEmpty { return }
            for claim in claims {
                busy += 1
                lastMove = .now
                // One after the other: which of two equal photos is the duplicate follows from their order of arrival.
                do throws(PhotoReadError) {
                    let photo = try await reader.open(claim, in: inbox, maxFileBytes: settings.limits.maxFileBytes)
                    let turn = inHand.queueUp(for: photo.sha256)
                    let settings = settings
                    group.addTask {
                        await turn.wait()
                        try await self.end(claim, turn) {
                            try await self.work(on: claim, photo: photo, settings: settings)
                        }
                    }
                } catch {
                    group.addTask {
                        try await self.end(claim, nil) { try await self.setAside(claim, error) }
                    }
                }
            }
        }
    }

    /// Brings a claimed file to its end, good or bad, or back to the queue where the outbox refuses it.
    private func end(_ claim: Claim, _ turn: PhotosInHand.Turn?, by work: () async throws -> Void) async throws {
        defer {
            busy -= 1
            lastMove = .now
            if let turn { inHand.finish(turn) }
            wakeup.ring()
        }
        do {
            try await work()
            held.accept(claim.pack)
            changes()
        } catch let error as OutboxError {
            try await library.release(claim)
            hold(claim.pack, because: error)
            changes()
        } catch is Stopping {
            try await library.release(claim)
        }
    }

    private func hold(_ pack: String, because error: OutboxError) {
        guard let (length, isFirst) = held.refuse(pack) else { return }
        logger.log(
            level: isFirst ? .error : .debug, "The outbox cannot be written; its photos wait for the next try",
            metadata: ["reason": "\(error)", "seconds": "\(length.components.seconds)"])
        // Outlives a stop by a minute at most, and then rings at nobody.
        Task { [wakeup] in
            try? await Task.sleep(for: length)
            wakeup.ring()
        }
    }
}

/// The workers are stopping; the photo stays in the queue.
struct Stopping: Error {}
