import Conditions
import FileNames
package import DaemonSettings
import LibraryCommands
package import LinuxIO
package import Logging
import Outbox
import Packs
import PhotoLibrary
import PhotoRule
import Processing
import StickerPipeline
package import SystemPackage
import UnixSignals
import Workers

/// The findings of `stickerd verify`: whether inbox, Library, stickers and derived files agree.
package struct Verification: Sendable {
    /// One difference.
    package struct Problem: Hashable, Sendable {
        /// The repair, if there is one.
        enum Fix: Hashable {
            case remake(StickerRecord)
            case decide(photo: String)
            case writeIndex
            case rebuildLibrary
            case none
        }

        /// A one-line message.
        package let text: String
        let fix: Fix
    }

    /// In a stable order.
    package fileprivate(set) var problems: [Problem]
    /// How many stickers the Library lists as published, in all packs.
    package let stickers: Int
    /// How many files the Library has, in any state.
    package let photos: Int
    /// Whether no photo is waiting or in progress. The stickers of such a photo are not checked.
    package let isDrained: Bool
    let isRunning: Bool
    /// Whether the outbox was not checked because it is unavailable.
    let isOutboxAway: Bool

    fileprivate var isLibraryDamaged: Bool { problems.contains { $0.fix == .rebuildLibrary } }

    /// The number of checks. A running daemon causes short-lived differences: only those that every check finds are
    /// problems.
    private static let checks = 4
    private static let pause = Duration.milliseconds(700)

    /// Checks everything, reading every sticker.
    ///
    /// - Throws: `LibraryError` if the state folder has no readable Library, `Errno` if a folder of the outbox cannot
    ///   be read.
    package static func run(
        _ settings: Settings, clock: any MonotonicClock = ContinuousClock()
    ) async throws -> Verification {
        var last = try Verification(checking: settings)
        for _ in 1..<checks where last.isRunning && !last.problems.isEmpty {
            try await clock.sleep(for: pause)
            let former = Set(last.problems)
            last = try Verification(checking: settings)
            last.problems = last.problems.filter(former.contains)
        }
        return last
    }

    private init(checking settings: Settings) throws {
        isRunning = try Library.isRunning(in: settings.state)
        let library: LibraryInspection
        do {
            library = try LibraryInspection(of: settings.state)
        } catch let error as LibraryError where error.code == .damaged {
            // What it says about inbox and outbox cannot be compared with them.
            problems = [Problem(text: error.problem, fix: .rebuildLibrary)]
            (stickers, photos, isDrained, isOutboxAway) = (0, 0, true, false)
            return
        }
        var problems = library.undecided.map { Problem(text: $0.text, fix: .decide(photo: $0.photo)) }
        do throws(OutboxError) {
            try OutboxWriter.requirePresence(at: settings.outbox, library.outbox, of: settings.state)
            isOutboxAway = false
        } catch {
            problems.append(Problem(text: "\(error)", fix: .none))
            isOutboxAway = error.isAway
        }
        let daemon = try DaemonStatus.read(of: settings.state).status
        let isKept = daemon.map { $0.obstacles.isEmpty && $0.hasLateArchive != true } ?? false
        for pack in isOutboxAway ? [] : library.packs {
            problems += try OutboxCheck(settings.outbox, pack, settings.packs, isKept: isKept).problems
        }
        problems += InboxCheck(settings, library).problems
        self.problems = problems
        stickers = library.packs.reduce(0) { $0 + $1.published.count }
        photos = library.fileCount
        isDrained = library.packs.allSatisfy(\.isDrained)
    }
}

/// Remakes derived files: stickers, indexes and everything that depends on them. If a daemon is running, it does the
/// work.
package struct Repair: Sendable {
    private let settings: Settings
    private let executable: FilePath
    private let clock: any MonotonicClock
    private let logger: Logger

    /// The time between two checks of the progress.
    private static let checkInterval = Duration.milliseconds(200)
    /// How long a running daemon may take.
    private static let patience = Duration.seconds(60)
    /// After how long without a change the repair ends if the daemon waits for something.
    private static let calm = Duration.seconds(3)

    /// - Parameter executable: a stickerd binary for the workers.
    package init(
        settings: Settings, executable: FilePath, clock: any MonotonicClock = ContinuousClock(), logger: Logger
    ) {
        self.clock = clock
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Repairs what can be repaired, and verifies again. What is left because work waits, such as for room on the disk,
    /// is a problem, and so is what it waits for. Repairs nothing while the outbox is unavailable, because missing
    /// files cannot be detected then. A damaged Library is rebuilt first, however its last owner ended: not every
    /// damage comes from a crash.
    ///
    /// - Throws: `LibraryError` if the Library cannot be written, `CommandFailure`, `WorkerError` if no worker starts,
    ///   or what `Verification.run` throws.
    package func run(_ found: Verification) async throws -> Verification {
        var found = found
        if found.isLibraryDamaged {
            // A daemon's Library cannot be replaced under it.
            guard !found.isRunning else {
                throw CommandFailure(
                    "The Library is damaged and in use: stop stickerd, and run stickerd verify --repair again")
            }
            try await repair(isSuspect: true)
            found = try await Verification.run(settings, clock: clock)
            guard !found.problems.isEmpty, !found.isLibraryDamaged else { return found }
        }
        guard !found.isOutboxAway else { return found }
        var stickers: [StickerRecord] = []
        var photos: [String] = []
        for problem in found.problems {
            switch problem.fix {
            case .remake(let sticker): stickers.append(sticker)
            case .decide(let photo): photos.append(photo)
            case .writeIndex, .rebuildLibrary, .none: break
            }
        }
        try Library.requestRepair(in: settings.state, stickers: stickers, photos: photos)
        if found.isRunning {
            // It would do the work.
            guard try DaemonWaking(settings.state) == .signaled else { throw CommandFailure(DaemonWaking.refusal) }
        }
        let reasons = try await found.isRunning ? waitForDaemon() : repair(isSuspect: false)
        var left = try await Verification.run(settings, clock: clock)
        // Until they are remade, stickers are not in the index: no check misses them.
        for pack in try LibraryInspection(of: settings.state).packs where !pack.isDrained {
            let listed = Set(pack.published.map { ExactName($0.file) })
            left.problems += found.problems.filter {
                guard case .remake(let sticker) = $0.fix, ExactName(sticker.pack) == ExactName(pack.name) else {
                    return false
                }
                return !listed.contains(ExactName(sticker.file))
            }
        }
        if !left.problems.isEmpty {
            left.problems += reasons.map { Verification.Problem(text: "not repaired yet: \($0)", fix: .none) }
        }
        return left
    }

    /// Waits until a running daemon has done the work, or itself waits. Returns for what.
    private func waitForDaemon() async throws -> [String] {
        let end = clock.now + Self.patience
        var last: (status: LibraryStatus, problems: [Verification.Problem], since: ContinuousClock.Instant)?
        while clock.now < end {
            let status = try Library.status(in: settings.state)
            let problems = try await Verification.run(settings, clock: clock).problems
            if status.isDrained, problems.allSatisfy({ $0.fix == .none }) { return [] }
            let waiting = try DaemonStatus.read(of: settings.state).status?.obstacles ?? []
            if let last, last.status == status, last.problems == problems, status.photos[.processing] == 0 {
                if !waiting.isEmpty, clock.now >= last.since + Self.calm {
                    return waiting.map { "\($0.message): \($0.reason)" }
                }
            } else {
                last = (status, problems, clock.now)
            }
            try await clock.sleep(for: Self.checkInterval)
        }
        return []
    }

    /// Runs the pipeline without its Inbox until no photo is waiting, except for its rest, or work waits. Returns for
    /// what.
    @discardableResult
    private func repair(isSuspect: Bool) async throws -> [String] {
        let stopSignals = await StopSignals([.sigterm, .sigint])
        let library = try Library(in: settings.state, outbox: settings.resolvedOutbox.string, isSuspect: isSuspect)
        // A photo in progress when a signal arrives must not become a suspect.
        async let _ = stopSignals.endAtOnce(library)
        defer { stopSignals.untrap() }
        let outbox = try settings.openOutbox(library)
        try await outbox.requireOwnership()
        try await library.prepare(settings, outbox, logger)
        _ = try await outbox.audit { error in
            logger.error("Cannot read a pack's folder", metadata: ["reason": "\(error)"])
        }
        let changes = Wakeup()
        let pipeline = try settings.pipeline(
            executable: executable, model: try settings.openModel(), library: library, outbox: outbox,
            conditions: CurrentConditions(logger: logger, clock: clock), logger: logger
        ) { changes.ring() }
        try await withThrowingDiscardingTaskGroup { group in
            for work in [pipeline.workers.run, pipeline.processor.run] as [@Sendable () async throws -> Void] {
                group.addTask {
                    do {
                        try await work()
                    } catch {
                        // Ends the loop below.
                        changes.finish()
                        throw error
                    }
                }
            }
            changes.ring()
            for await _ in changes {
                // Does not wait for a condition such as a full disk; an incomplete photo holds up no other.
                let incomplete = pipeline.conditions.incompleteCount
                let photos = try await library.status().photos
                if photos[.pending, default: 0] + photos[.processing, default: 0] <= incomplete
                    || pipeline.conditions.current.count > incomplete
                {
                    break
                }
            }
            await pipeline.processor.stop()
            await pipeline.workers.stop()
        }
        let reasons = pipeline.conditions.current.map { "\($0.beginning): \($1)" }
        // What `verify` found may have the size and time of the right file.
        pipeline.packs.recheck()
        pipeline.packs.stop()
        try await pipeline.packs.run()
        try library.close()
        return reasons
    }
}
