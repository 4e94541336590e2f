package import LinuxIO
package import Logging
import PhotoCodecs
package import PhotoLibrary
import StickerStudio
package import SystemPackage

/// Takes files from the queue in their order, has each photo worked on once, and hands the stickers to the Outbox.
///
/// It keeps just enough photos in hand to keep every worker busy. A photo's trouble ends with the photo; the world's
/// makes those photos wait in the queue that it concerns, for as long as it lasts; trouble with the Library ends `run()`.
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
    private let reader: any PhotoOpening
    private let width: Int
    private let changes: @Sendable () -> Void
    private let wakeup = Wakeup()
    private var stopping = false
    /// What ends `run()` as soon as nothing is in hand any more.
    private var failure: (any Error)?
    private var busy = 0
    /// What is in hand is one photo that must be alone.
    private var hasSuspect = false
    private let conditions: Conditions
    private let diskWaits: DiskWaits
    private var lastMove = ContinuousClock.now
    private var partsSeen = 0

    /// Files taken up beyond one per worker, so that the next one is open and hashed when a worker is free.
    private static let lookahead = 2
    /// What a file may take beyond the time its worker has: hashing, waiting for the disk.
    private static let slack = Duration.seconds(30)

    /// - Parameters:
    ///   - workerCount: how many processes `workers` keeps.
    ///   - reader: who opens the photos; one of its own where nil.
    ///   - conditions: decides which photos are held, and learns what is refused; its own where nil.
    ///   - changes: called after each change of a file's state, and when work is stopped by a condition.
    /// - Throws: where the system has no thread to spare for a reader.
    package init(
        inbox: FilePath, library: PhotoLibrary, outbox: Outbox, workers: WorkerPool, workerCount: Int,
        settings: ProcessorSettings, reader: (any PhotoOpening)? = nil, conditions: Conditions? = nil,
        diskWaits: DiskWaits = .shared, logger: Logger, changes: @escaping @Sendable () -> Void
    ) throws(Errno) {
        self.inbox = inbox
        self.library = library
        self.outbox = outbox
        self.workers = workers
        self.settings = settings
        self.conditions = conditions ?? Conditions(logger: logger)
        self.diskWaits = diskWaits
        self.logger = logger
        self.changes = changes
        if let reader { self.reader = reader } else { self.reader = try PhotoReader() }
        width = workerCount + Self.lookahead
    }

    /// There may be something in the queue.
    package nonisolated func wake() { wakeup.ring() }

    /// Takes up nothing more; `run()` returns when what the workers have is finished. Photos that wait for a worker go
    /// back to the queue.
    package func stop() async {
        stopping = true
        await workers.close()
        wakeup.ring()
    }

    /// Applies from the next photo on.
    package func update(_ settings: ProcessorSettings) async throws {
        try await remember(settings.recipe)
        self.settings = settings
    }

    /// Whether files are in progress, but none was claimed, partly read or ended for longer than one may take. Waiting
    /// for a disk or the first worker does not count.
    package func isStuck() async -> Bool {
        let isWaiting = await workers.isAwaited || conditions.has(.library) || diskWaits.isWaiting
        if isWaiting || partsSeen != reader.partsRead {
            partsSeen = reader.partsRead
            lastMove = .now
            return false
        }
        let extraTime = await workers.extraTime
        return busy > 0 && lastMove.duration(to: .now) > settings.timePerPhoto + extraTime + Self.slack
    }

    /// Works until `stop()`, and returns when nothing is in hand any more.
    ///
    /// - Throws: what the Library throws where it fails: the process should end.
    package func run() async throws {
        try await remember(settings.recipe)
        // No throwing one: it would cancel the work on the other photos.
        await withDiscardingTaskGroup { group in
            wakeup.ring()
            for await _ in wakeup {
                if stopping || failure != nil { break }
                do { try await takeUp(in: &group) } catch { await fail(error) }
            }
        }
        if let failure { throw failure }
    }

    /// The Library fails for good: nothing more is taken up, and what waits for a worker goes back to the queue.
    private func fail(_ error: any Error) async {
        failure = failure ?? error
        await workers.close()
        wakeup.ring()
    }

    private func remember(_ recipe: Recipe) async throws {
        try await library.remember(recipe: recipe.identifier, content: recipe.canonicalText)
    }

    /// Claims what there is room for and starts the work on it.
    private func takeUp(in group: inout DiscardingTaskGroup) async throws {
        conditions.forget(dueBefore: .now - Conditions.forgottenAfter)
        // What may change while this waits for the answer about room is asked last.
        while busy < width, try await hasRoom(), !stopping, failure == nil, !hasSuspect {
            let held = conditions.held
            guard !held.all else { return }
            let (asked, isIdle) = (ContinuousClock.now, busy == 0)
            let claims = try await library.claim(
                limit: width - busy, exceptPacks: held.packs, exceptFiles: held.files, isIdle: isIdle)
            if claims.isEmpty {
                // A photo that was held until then would have been claimed, if it were still there.
                if isIdle { conditions.forget(dueBefore: asked) }
                return
            }
            for claim in claims {
                busy += 1
                hasSuspect = claim.isSuspect
                lastMove = .now
                // One after the other: which of two equal photos is the duplicate follows from their order of arrival.
                switch try await open(claim) {
                case .success(let photo):
                    let turn = inHand.queueUp(for: photo.sha256)
                    var settings = settings
                    if !photo.isInInbox { settings.originals = .keep }
                    group.addTask { [settings] in
                        await turn.wait()
                        await self.end(claim, turn) {
                            try await self.work(on: claim, photo: photo, settings: settings)
                        }
                    }
                case .failure(let error):
                    group.addTask {
                        await self.end(claim, nil) { try await self.setAside(claim, error) }
                    }
                }
            }
        }
    }

    /// Whether the disks have room for what would be begun now.
    private func hasRoom() async throws -> Bool {
        do {
            try await outbox.requireRoom(settings.minFreeBytes)
            conditions.end(.diskFull)
            conditions.end(.outboxAway)
            return true
        } catch let error as ConditionError {
            hold(error.condition, because: error.reason)
        } catch let error as OutboxError {
            hold(error.isAway ? .outboxAway : .diskFull, because: "\(error)")
        }
        changes()
        return false
    }

    /// Opens a claimed file where the inbox had it, or where it was moved to when it was done before.
    private func open(_ claim: Claim) async throws -> Result<OpenPhoto, PhotoReadError> {
        let maxFileBytes = settings.limits.maxFileBytes
        do throws(PhotoReadError) {
            return .success(try await reader.open(claim, in: inbox, maxFileBytes: maxFileBytes))
        } catch let first {
            guard first == .gone || first == .away, let place = try await library.location(of: claim) else {
                return .failure(first)
            }
            do throws(PhotoReadError) {
                let photo = try await reader.open(place.path, maxFileBytes: maxFileBytes)
                return photo.sha256 == place.photo ? .success(photo) : .failure(first)
            } catch {
                // The move may not have happened yet: an unavailable inbox may still have the photo.
                return .failure(error == .gone ? first : error)
            }
        }
    }

    /// Brings a claimed file to its end, good or bad, or back to the queue where the world refuses something.
    private func end(_ claim: Claim, _ turn: PhotosInHand.Turn?, by work: () async throws -> Void) async {
        defer {
            busy -= 1
            hasSuspect = false
            lastMove = .now
            if let turn { inHand.finish(turn) }
            wakeup.ring()
        }
        do {
            try await finish(claim, hasPhoto: turn != nil, by: work)
        } catch {
            await fail(error)
        }
    }

    /// - Throws: what the Library throws.
    private func finish(_ claim: Claim, hasPhoto: Bool, by work: () async throws -> Void) async throws {
        do {
            try await work()
            let pack = ExactName(claim.pack)
            let met: [Condition] = [.pack(pack), .photo(claim.file), .lease(claim.file, inPack: pack), .shortage]
            for condition in met { conditions.end(condition) }
            if hasPhoto {
                conditions.end(.inboxUnreadable)
                conditions.end(.leases(inPack: pack))
            }
        } catch let error as OutboxError {
            try await library.release(claim)
            hold(error.condition(inPack: claim.pack), because: "\(error)")
        } catch let error as ConditionError {
            // Held before it is released: otherwise it could be claimed again in between.
            hold(error.condition, because: error.reason)
            try await library.release(claim)
        } catch is Stopping {
            return try await library.release(claim)
        }
        changes()
    }

    private func hold(_ condition: Condition, because reason: String) {
        guard let wait = conditions.refuse(condition, because: reason) else { return }
        // Outlives a stop by a minute at most, and has no effect then.
        Task { [wakeup] in
            try? await Task.sleep(for: wait)
            wakeup.ring()
        }
    }
}

/// The workers are stopping; the photo stays in the queue.
struct Stopping: Error {}
