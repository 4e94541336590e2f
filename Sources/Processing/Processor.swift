package import Conditions
import FileNames
package import LinuxIO
package import Logging
package import Outbox
import PhotoCodecs
package import PhotoLibrary
import PhotoRule
package import SystemPackage
package import Workers

/// Claims files in queue order, processes each photo once, and publishes the stickers through the `OutboxWriter`.
///
/// It claims just enough photos to keep every worker busy. An error of a photo fails that photo; a condition returns
/// the photos it affects to the queue while it lasts; an error of the Library ends `run()`.
package actor Processor {
    let inbox: FilePath
    let library: Library
    let outbox: OutboxWriter
    let workers: WorkerPool
    let logger: Logger
    private(set) var settings: ProcessorSettings
    /// How often they were replaced.
    private var updates = 0
    /// By SHA-256: files with the same bytes are processed one after the other, in order of arrival.
    private var photoQueue = KeyedQueue()
    /// By pack: near-duplicates are looked up one after the other.
    var nearDuplicateQueue = KeyedQueue()
    let reader: any PhotoOpening
    private let originals: Originals
    private let width: Int
    private let changes: @Sendable () -> Void
    private let wakeup: Wakeup
    private var stopping = false
    /// Ends `run()` once no photo is in progress.
    private var failure: (any Error)?
    /// How many photos are in progress.
    private var busy = 0 {
        didSet { library.isBusy = hasBacklog }
    }
    /// Whether the photo in progress is a suspect, which runs alone.
    private var hasSuspect = false
    let conditions: CurrentConditions
    private let diskWaits: DiskWaits
    private var lastMove: ContinuousClock.Instant
    private var stepsSeen = 0
    let stageTimers = StageTimers()

    /// Claims beyond one per worker, so that the next photo is open and hashed when a worker becomes free, and that
    /// workers have photos while others are published. With 64 workers and 4,000 fsyncs a second, reading, commits and
    /// publishing take as long as the worker's part, about 50 ms; with an fsync of 20 ms, three times as long.
    private static func lookahead(for workers: Int) -> Int { max(16, workers) }
    /// Files are claimed once so many places are free, so that they share the commits of their claims and SHA-256.
    private static let batch = 4
    /// Whether so many photos are in progress that they can share commits and fsyncs: those of a backlog lose nothing
    /// by waiting for each other. With near-duplicates skipped, they take turns instead.
    var hasBacklog: Bool { busy >= width / 2 && settings.nearDuplicates != .skip }

    /// The time a photo may take beside its worker's: hashing and waiting for the disk.
    private static let slack = Duration.seconds(30)

    /// - Parameters:
    ///   - workerCount: how many processes `workers` keeps.
    ///   - reader: opens the photos; if nil, the Processor makes one.
    ///   - changes: called after each change of a file's state, and when a condition stops work.
    /// - Throws: if no thread is available for a reader.
    package init(
        inbox: FilePath, library: Library, outbox: OutboxWriter, originals: Originals, workers: WorkerPool,
        workerCount: Int, settings: ProcessorSettings, reader: (any PhotoOpening)?, conditions: CurrentConditions,
        diskWaits: DiskWaits, wakeup: Wakeup, logger: Logger,
        changes: @escaping @Sendable () -> Void
    ) throws(Errno) {
        self.inbox = inbox
        self.library = library
        self.outbox = outbox
        self.originals = originals
        self.workers = workers
        self.settings = settings
        self.conditions = conditions
        lastMove = conditions.clock.now
        self.diskWaits = diskWaits
        self.wakeup = wakeup
        self.logger = logger
        self.changes = changes
        if let reader { self.reader = reader } else { self.reader = try PhotoReader() }
        width = workerCount + Self.lookahead(for: workerCount)
    }

    /// Wakes `run` to check the queue.
    package nonisolated func wake() { wakeup.ring() }

    /// Stops claiming; `run()` returns when the workers' photos are finished. Photos that wait for a worker return to
    /// the queue.
    package func stop() async {
        stopping = true
        await workers.close()
        wakeup.ring()
    }

    /// Applies from the next photo on.
    package func update(_ settings: ProcessorSettings) async throws {
        self.settings = settings
        updates += 1
        try await adoptSettings()
    }

    /// Watchdog check: whether photos are in progress, but none was claimed, partly read, processed or finished for
    /// longer than one may take. Waiting for a disk or for the first worker does not count.
    package func isStuck() async -> Bool {
        let isWaiting = await workers.isAwaited || conditions.has(.library) || diskWaits.isWaiting
        // A photo may be tried several times.
        let steps = await workers.steps + reader.partsRead
        if isWaiting || stepsSeen != steps {
            stepsSeen = steps
            lastMove = conditions.clock.now
            return false
        }
        let extraTime = await workers.extraTime
        return busy > 0 && lastMove.duration(to: conditions.clock.now) > settings.timePerPhoto + extraTime + Self.slack
    }

    /// Processes photos until `stop()`, and returns when none is in progress.
    ///
    /// - Throws: errors of the Library; the process should end then.
    package func run() async throws {
        try await adoptSettings()
        // A throwing group would cancel the work on the other photos.
        await withDiscardingTaskGroup { group in
            wakeup.ring()
            for await _ in wakeup {
                if stopping || failure != nil { break }
                do { try await claim(in: &group) } catch { await fail(error) }
            }
        }
        if let failure { throw failure }
    }

    /// Stops claiming after an error of the Library; photos that wait for a worker return to the queue.
    private func fail(_ error: any Error) async {
        failure = failure ?? error
        await workers.close()
        wakeup.ring()
    }

    /// Lets the Library decide by the settings.
    private func adoptSettings() async throws {
        var adopted: Int
        repeat {
            // `run` and `update` may be here at once, and the one with the former settings may be the last.
            adopted = updates
            let recipe = settings.recipe
            let skipsNearDuplicates = settings.nearDuplicates == .skip
            try await library.remember(recipe: recipe.identifier, content: recipe.canonicalText)
            try await library.adopt(skipsNearDuplicates: skipsNearDuplicates)
        } while adopted != updates
    }

    /// Claims as many files as there are free places, and starts processing them.
    private func claim(in group: inout DiscardingTaskGroup) async throws {
        conditions.forget(dueBy: conditions.clock.now - CurrentConditions.forgottenAfter)
        // Checked last: these can change during `hasRoom`.
        while width - busy >= Self.batch, try await hasRoom(), !stopping, failure == nil, !hasSuspect {
            let held = conditions.held
            guard !held.all else { return }
            let (start, isIdle) = (conditions.clock.now, busy == 0)
            let claims = try await library.claim(
                limit: width - busy, exceptPacks: held.packs, exceptFiles: held.files,
                exceptArrivals: held.arrivals, exceptMoved: held.moved, isIdle: isIdle)
            if claims.isEmpty {
                // If nothing else holds them up, holds expired by then have no photos left.
                if isIdle, held.isEmpty { conditions.forget(dueBy: start) }
                if try await library.decideBatch() {
                    wakeup.ring()
                    changes()
                }
                return
            }
            for claim in claims {
                busy += 1
                hasSuspect = claim.isSuspect
                lastMove = conditions.clock.now
                // Fixed until the end, even if a reload changes them: the recipe is recorded with the stickers.
                let settings = settings
                // Open one after the other: the order of arrival decides which of two equal photos is the duplicate.
                switch try await open(claim) {
                case .success(let photo):
                    let turn = photoQueue.join(photo.sha256)
                    group.addTask {
                        await turn.wait()
                        await self.end(claim, turn) {
                            try await self.work(on: claim, photo: photo, settings: settings)
                        }
                    }
                case .failure(let error):
                    group.addTask {
                        await self.end(claim, nil) { try await self.endUnread(claim, error) }
                    }
                }
            }
        }
    }

    /// Whether the disks have room for another photo.
    private func hasRoom() async throws -> Bool {
        do {
            try await outbox.requireRoom(settings.minFreeBytes)
            conditions.end(.diskFull)
            conditions.end(.outboxAway)
            return true
        } catch let error as ConditionError {
            hold(error.condition, because: error.reason)
        } catch let error as OutboxError {
            hold(error.cause?.isShortage == true ? .shortage : .outboxAway, because: "\(error)")
        }
        changes()
        return false
    }

    /// Opens a claimed file in the inbox, or where it was moved when it was finished earlier.
    private func open(_ claim: Claim) async throws -> Result<OpenPhoto, PhotoReadError> {
        let maxFileBytes = settings.limits.maxFileBytes
        do throws(PhotoReadError) {
            return .success(try await reader.open(claim, in: inbox, maxFileBytes: maxFileBytes))
        } catch let first {
            // Another file may have its name in the inbox.
            guard [.gone, .away, .changed, .forbidden].contains(first),
                let place = try await library.location(of: claim)
            else { return .failure(first) }
            let before = try await originals.missingDisk(of: place.path)
            do throws(PhotoReadError) {
                let photo = try await reader.open(place.path, maxFileBytes: maxFileBytes)
                conditions.end(.receiverAway)
                return photo.sha256 == place.photo ? .success(photo) : .failure(first)
            } catch {
                if error == .gone {
                    // The disk may have come or gone meanwhile.
                    let after = try await originals.missingDisk(of: place.path)
                    if let reason = before ?? after { return .failure(.movedAway(reason)) }
                }
                // The file may not have been moved yet: an unavailable inbox may still have it.
                return .failure(error == .gone || error == .notAPicture ? first : error)
            }
        }
    }

    /// Finishes a claimed file, or returns it to the queue if a condition stops it.
    private func end(_ claim: Claim, _ turn: KeyedQueue.Turn?, by work: () async throws -> Void) async {
        defer {
            busy -= 1
            hasSuspect = false
            lastMove = conditions.clock.now
            if let turn { photoQueue.finish(turn) }
            wakeup.ring()
        }
        do {
            try await finish(claim, hasPhoto: turn != nil, by: work)
        } catch {
            await fail(error)
        }
    }

    /// - Throws: errors of the Library.
    private func finish(_ claim: Claim, hasPhoto: Bool, by work: () async throws -> Void) async throws {
        do {
            try await work()
            for condition in [.photo(claim.file), .shortage] as [Condition] { conditions.end(condition) }
            conditions.endIncomplete(claim.file)
            if hasPhoto { conditions.end(.inboxUnreadable) }
        } catch let error as FolderInTheWay {
            // What is known of the photo stays: it may have a sticker in another pack.
            try await fail(claim, as: .unreadable(reason: "\(error)"), originals: .keep)
        } catch let error as OutboxError {
            try await library.release(claim)
            hold(error.condition(inPack: claim.pack), because: "\(error)")
        } catch let error as ConditionError {
            // Hold before releasing; otherwise it could be claimed in between.
            hold(error.condition, because: error.reason, for: error.wait)
            try await library.release(claim, because: error.photoReason)
        } catch is Stopping {
            return try await library.release(claim)
        }
        changes()
    }

    private func hold(_ condition: Condition, because reason: String, for wait: Duration? = nil) {
        guard let wait = conditions.refuse(condition, because: reason, for: wait) else { return }
        // After a stop, it lasts a minute at most.
        wakeup.ring(after: wait, of: conditions.clock)
    }
}

/// The workers are stopping; the photo stays in the queue.
struct Stopping: Error {}

extension OutboxError {
    /// The condition to record if this stopped a photo of `pack`.
    fileprivate func condition(inPack pack: String) -> Condition {
        if isAway { return .outboxAway }
        return cause?.isShortage == true ? .shortage : .pack(ExactName(pack))
    }
}
