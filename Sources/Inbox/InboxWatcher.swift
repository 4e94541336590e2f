package import Conditions
import FileNames
import FoundationEssentials
package import Logging
package import LinuxIO
package import PhotoLibrary
import Synchronization
package import SystemPackage

/// Calls of the Library that tests can delay.
package enum InboxCall: Sendable {
    /// The files recorded in a folder, or those of them that it lacks.
    case known
    case record
    case forget
}

/// Watches the inbox and records complete files in the Library; opens none.
///
/// It reads names and stat(2) only. Its own thread blocks in poll(2) while nothing happens, so during `run` every call
/// waits except those of `nonisolated` members. While the inbox is unavailable, it waits for its return.
package actor InboxWatcher: ThreadOwner {
    /// The most files recorded in one transaction.
    static let batch = 500
    /// The most files of a backlog sorted together; the rest follows in another round.
    static let maxSorted = 250_000
    /// Names of a folder read between two calls of `drain`.
    static let stride = 1024
    /// The most folders kept of those that cannot be read; further ones are not logged.
    static let maxUnreadable = 1000
    /// The most reads of the kernel's queue in one `drain`, so that a flood of events cannot stop the scan.
    static let maxConsecutiveReads = 16

    let folder: FilePath
    let library: Library
    let beforeCall: @Sendable (InboxCall) async -> Void
    let conditions: CurrentConditions
    let logger: Logger
    let arrived: @Sendable () -> Void
    let inotify: Inotify
    package let thread: SerialThread
    /// Watchdog ping; cleared on each turn of the loop.
    private let isPinged = Atomic(false)
    private let freshRules = Mutex<InboxRules?>(nil)

    var rules: InboxRules
    var watches = WatchTable()
    var changes = ChangeList()
    /// Files of which events have queued a change since the current reading began: what it saw of them may be older.
    var overtaken: Set<InboxPath> = []
    var settling = SettleQueue()
    /// Files being written to; a close event will report their end.
    var writing: Set<InboxPath> = []
    var news = InboxNews()
    /// The cookies of renames of which only the first half was read.
    var halfRenames: Set<UInt32> = []
    /// Files that left the inbox while they were in progress: the Library records it once they are finished, if they
    /// are not back by then.
    var departing: Set<InboxPath> = []
    var nextDepartureCheck: ContinuousClock.Instant
    /// The watched folder; nil while the inbox is unavailable.
    var place: DirectoryIdentity?
    /// Whether the inbox has not been read since it was found: files that were unchanged for long are ready then.
    var isFirstReading = true
    /// When all known files were first missing.
    var emptySince: ContinuousClock.Instant?
    var coverage = WatchCoverage()
    /// Mounts of stickerd's own folders below the inbox, as of the last scan, and their names in the settings.
    var ownMounts: [InboxPath: String] = [:]
    /// Subfolders that cannot be watched or read, and why; `conditions` has `.foldersClosed` while there are any.
    var closed: [InboxPath: String] = [:]
    /// Subfolders that are left out, or not read completely, to log each once.
    var loggedFolders: Set<InboxPath> = []
    private var nextRescan: ContinuousClock.Instant
    private var pace = PollingPace()

    /// - Parameters:
    ///   - conditions: have `.inboxAway` while the inbox is unavailable.
    ///   - arrived: called after files were queued or left the inbox, and when the inbox becomes unavailable or
    ///     returns; must not block.
    ///   - beforeCall: called before these calls of the Library. Tests stop the Inbox there, or change files.
    /// - Throws: `.unwatchable` if no descriptor or thread is available.
    package init(
        folder: FilePath, rules: InboxRules, library: Library, conditions: CurrentConditions,
        logger: Logger, arrived: @escaping @Sendable () -> Void,
        beforeCall: @escaping @Sendable (InboxCall) async -> Void = { _ in }
    ) throws(InboxError) {
        do throws(Errno) {
            inotify = try Inotify()
            thread = try SerialThread(name: "inbox", diskWaits: .shared)
        } catch {
            throw InboxError(code: .unwatchable, folder: folder, cause: error)
        }
        self.folder = folder
        self.library = library
        self.beforeCall = beforeCall
        self.conditions = conditions
        nextDepartureCheck = conditions.clock.now
        nextRescan = nextDepartureCheck
        self.logger = logger
        self.arrived = arrived
        self.rules = rules
    }

    /// Watches the names in the inbox and in its known subfolders. `run` watches these for all changes, and finds what
    /// is dropped into other subfolders when it reads them. Returns at once if the inbox is unavailable.
    ///
    /// - Throws: as `run`.
    package func prepare(progress: @Sendable () -> Void = {}) async throws {
        conditions.isScanning = true
        try await adoptIgnoreRules(progress)
        try await whileAvailable {
            try await find()
            try await watchKnown(progress)
        }
    }

    /// Records the inbox's files, then every change, until the task is cancelled. Waits while the inbox is unavailable.
    ///
    /// - Throws: `InboxError` if poll(2) or inotify fails, or the Library's errors.
    package func run() async throws {
        let inotify = inotify
        try await withTaskCancellationHandler {
            while !Task.isCancelled {
                try await whileAvailable {
                    if place == nil { try await find() }
                    try watchChanges()
                    try await rescan()
                    while !Task.isCancelled { try await turn() }
                }
                if !Task.isCancelled { try await wait() }
            }
        } onCancel: {
            inotify.wake()
        }
    }

    /// Runs `body` until the inbox becomes unavailable.
    private func whileAvailable(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as InboxError where error.isAbsence {
            leave(because: error)
        }
    }

    var now: ContinuousClock.Instant { conditions.clock.now }

    /// Waits until the next check for an unavailable inbox.
    private func wait() async throws {
        _ = try next(until: now + RetryPolicy.folderAway.longest)
        try await adoptRules()
        clearPing()
    }

    /// Watchdog check: whether the loop has turned since the last call (true the first time).
    package nonisolated func isResponsive() -> Bool {
        let hasTurned = !isPinged.exchange(true, ordering: .acquiringAndReleasing)
        inotify.wake()
        return hasTurned
    }

    /// Changes the rules, and rescans the inbox.
    package nonisolated func apply(_ rules: InboxRules) {
        freshRules.withLock { $0 = rules }
        inotify.wake()
    }

    private func turn() async throws {
        overtaken = []
        let events = try next(until: nextDeadline)
        handle(events)
        settleDue()
        try await adoptRules()
        // Check first, because the inbox's path may lead elsewhere by now.
        if news.mustCheckPlace || inotify.takeMountsChanged() { try await checkPlace() }
        if news.rescan || nextRescan <= now { try await rescan() }
        try await readNews()
        try await recordChanges()
        try await recordDepartures()
        // A new folder may have exhausted the watches: a rescan decides whether to poll.
        if coverage.hasChanged { news.rescan = true }
        clearPing()
    }

    private var nextDeadline: ContinuousClock.Instant {
        // Recording the last changes may have read new events.
        guard news.isEmpty, changes.isEmpty else { return now }
        let next = departing.isEmpty ? nextRescan : min(nextRescan, nextDepartureCheck)
        return min(settling.deadline ?? next, next)
    }

    private func rescan() async throws {
        let (start, date) = (now, Date.now)
        // Status reports a scan of the whole inbox, but not each poll.
        let isPoll = coverage.isPolled && !isFirstReading
        // A periodic rescan or a poll: events should have reported all changes.
        let eventsCoverAll = !isFirstReading && !news.rescan && coverage.shouldBeComplete
        news.rescan = false
        // Not when nothing is to be found, so that an idle daemon writes nothing to its disk.
        if !isPoll, !eventsCoverAll { conditions.isScanning = true }
        let hasChanges = try await readAll(eventsCoverAll: eventsCoverAll)
        try await recordChanges(since: date)
        guard !Task.isCancelled else { return }
        logger.debug("Read the inbox", metadata: ["duration-usec": "\(Int((now - start) / .microseconds(1)))"])
        if !isPoll {
            conditions.isScanning = false
            // Originals that are gone wait for this.
            arrived()
        }
        isFirstReading = false
        report()
        let wait =
            coverage.isPolled
            ? pace.next(after: now - start, hasChanges: hasChanges || !settling.isEmpty, in: rules.pollSeconds)
            : .seconds(rules.rescanSeconds)
        nextRescan = min(now + wait, emptySince.map { $0 + .seconds(rules.emptySeconds) } ?? now + wait)
    }

    /// Reads the kernel's queue without waiting.
    func drain() throws {
        for _ in 0..<Self.maxConsecutiveReads {
            let events = try next(until: now)
            guard !events.isEmpty else { break }
            handle(events)
        }
        clearPing()
    }

    func next(until deadline: ContinuousClock.Instant) throws -> [InotifyEvent] {
        do throws(Errno) {
            return try thread.waitingForOther { () throws(Errno) in
                try conditions.clock.next(of: inotify, until: deadline)
            }
        } catch {
            throw InboxError(code: .unwatchable, folder: folder, cause: error)
        }
    }

    private func clearPing() { isPinged.store(false, ordering: .releasing) }

    private func adoptRules() async throws {
        guard let fresh = freshRules.withLock({ $0.take() }), fresh != rules else { return }
        // Later, these would be recorded in spite of the new rules. The rescan finds what was queued meanwhile.
        try await recordChanges()
        changes = ChangeList()
        if fresh.mode != rules.mode { unwatchAll() }
        rules = fresh
        coverage.mode = fresh.mode
        news.rescan = true
        try await adoptIgnoreRules()
        arrived()
    }
}
