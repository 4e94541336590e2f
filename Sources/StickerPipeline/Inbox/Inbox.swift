package import Logging
import LinuxIO
import PhotoLibrary
import Synchronization
package import SystemPackage

/// Watches the folder where photos are dropped, and tells the Library of every file that is ready; opens none of them.
///
/// The photos themselves are only looked at by name and by stat(2). An actor on a thread of its own, where it blocks in
/// poll(2) while nothing happens: while `run` is under way, only what is `nonisolated` answers at once. An inbox that is
/// not there is waited for.
package actor Inbox {
    /// Files told to the Library in one transaction.
    static let batch = 500
    /// Files of a backlog that are sorted together; what is beyond follows in a second round.
    static let maxSorted = 250_000
    /// Names of a folder read, or events read in a row, before something else has its turn.
    static let stride = 1024
    static let readsInARow = 16
    /// Both halves of a rename are told one after the other; between two reads there can be so much.
    private static let renameGap = Duration.milliseconds(5)

    let folder: FilePath
    let library: any InboxLedger
    let conditions: Conditions
    let logger: Logger
    let arrived: @Sendable () -> Void
    let inotify: Inotify
    private let lane: Lane
    /// Somebody wants to know whether the loop still turns.
    private let isAsked = Atomic(false)
    private let freshRules = Mutex<InboxRules?>(nil)

    var rules: InboxRules
    var watches = WatchTable()
    var changes = ChangeList()
    var settling = SettleQueue()
    /// Files that somebody writes into right now; their end comes as an event.
    var writing: Set<InboxPath> = []
    var news = InboxNews()
    /// Renames of which only the first half was told.
    var halfRenames: Set<UInt32> = []
    /// The folder that is watched; nil while the inbox is away; its own where nil.
    var place: FolderPlace?
    /// Nothing was read yet since the inbox was found: what lies there long is ready.
    var isFirstReading = true
    /// Since when all files have been missing that should be there.
    var emptySince: ContinuousClock.Instant?
    var coverage = WatchCoverage()
    /// Subfolders that cannot be watched or read, to be named once only.
    var troubled: Set<InboxPath> = []
    private var nextRescan = ContinuousClock.now
    private var pace = PollingPace()
    private var away = Backoff(.folderAway)

    // The actor holds its lane.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - conditions: get `.inboxAway` while the inbox is away; its own where nil.
    ///   - arrived: called after files went into the queue or out of the inbox, and when that goes or comes back; must
    ///     not block.
    /// - Throws: `.unwatchable` where the system has no descriptor or thread to spare.
    package init(
        folder: FilePath, rules: InboxRules, library: any InboxLedger, conditions: Conditions? = nil,
        logger: Logger, arrived: @escaping @Sendable () -> Void
    ) throws(InboxError) {
        do throws(Errno) {
            inotify = try Inotify()
            lane = try Lane(name: "inbox")
        } catch {
            throw InboxError(code: .unwatchable, folder: folder, cause: error)
        }
        self.folder = folder
        self.library = library
        self.conditions = conditions ?? Conditions(logger: logger)
        self.logger = logger
        self.arrived = arrived
        self.rules = rules
    }

    /// Watches the inbox and its subfolders. What is dropped after this returns will be seen, once `run` is called.
    /// An inbox that is away is waited for there.
    ///
    /// - Parameter progress: called for each folder.
    /// - Throws: as `run`.
    package func prepare(progress: @Sendable () -> Void = {}) async throws {
        try await library.setScanning(true)
        try await whileThere {
            try await find()
            try watchAll(progress)
        }
    }

    /// Tells the Library of what lies there, then of what comes, until the task is cancelled. While the inbox is away it
    /// waits.
    ///
    /// - Throws: `InboxError` where the kernel does not let anybody wait, or what the Library throws.
    package func run() async throws {
        let inotify = inotify
        try await withTaskCancellationHandler {
            while !Task.isCancelled {
                try await whileThere {
                    if place == nil { try await find() }
                    try await rescan()
                    while !Task.isCancelled { try await turn() }
                }
                if !Task.isCancelled { try wait() }
            }
        } onCancel: {
            inotify.wake()
        }
    }

    /// An inbox that goes ends `body`, and nothing else.
    private func whileThere(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as InboxError where error.isAbsence {
            try await leave(because: error)
        }
    }

    /// Until it is time to look for the inbox again.
    private func wait() throws {
        _ = try next(timeout: away.next())
        adoptRules()
        answer()
    }

    /// Whether everything has had its turn since the last call (true the first time); asks for another one.
    package nonisolated func isResponsive() -> Bool {
        let wasAnswered = !isAsked.exchange(true, ordering: .acquiringAndReleasing)
        inotify.wake()
        return wasAnswered
    }

    /// Changes the rules for what comes from now on, and looks at everything again.
    package nonisolated func apply(_ rules: InboxRules) {
        freshRules.withLock { $0 = rules }
        inotify.wake()
    }

    private func turn() async throws {
        let events = try next(timeout: untilNextDeadline)
        handle(events)
        settleDue()
        adoptRules()
        // Before anything is looked for under a path that may lead elsewhere by now.
        if news.placeInDoubt || inotify.takeMountsChanged() { try await doubt() }
        if news.rescan || nextRescan <= .now { try await rescan() }
        try await readNews()
        try await tell()
        // A new folder may be the one too many: whether to poll is decided now.
        if coverage.hasNews { news.rescan = true }
        answer()
    }

    private var untilNextDeadline: Duration {
        // What came in while the last was told is news, too.
        guard news.isEmpty, changes.isEmpty else { return .zero }
        return min(settling.deadline ?? nextRescan, nextRescan) - .now
    }

    private func rescan() async throws {
        let start = ContinuousClock.now
        // One of many looks is no news to anybody.
        let isPoll = coverage.isPolled && !isFirstReading
        // Nothing but the time to look again brought us here: events should have told of everything.
        let isCalm = !isFirstReading && !news.rescan && !coverage.isPolled
        news.rescan = false
        if !isPoll { try await library.setScanning(true) }
        let isLively = try await readAll(isCalm: isCalm)
        try await tell()
        guard !Task.isCancelled else { return }
        if !isPoll { try await library.setScanning(false) }
        isFirstReading = false
        report()
        let wait =
            coverage.isPolled
            ? pace.next(after: .now - start, isLively: isLively || !settling.isEmpty, in: rules.pollSeconds)
            : .seconds(rules.rescanSeconds)
        nextRescan = min(.now + wait, emptySince.map { $0 + .seconds(rules.emptySeconds) } ?? .now + wait)
    }

    /// Tells the Library what there is to tell, and keeps the kernel's queue empty meanwhile. What a cancelled task
    /// leaves untold is found by the scan of the next start.
    ///
    /// What went is told last: a file that got another name is known by its old one.
    func tell() async throws {
        var gone: [InboxPath] = []
        repeat {
            while !Task.isCancelled, let batch = changes.next(limit: Self.batch) {
                switch batch {
                case .arrived(let arrivals): try await tell(of: arrivals)
                case .gone(let paths): gone += paths
                }
                try drain()
            }
            if !halfRenames.isEmpty {
                handle(try next(timeout: Self.renameGap))
                halfRenames = []
            }
        } while !Task.isCancelled && !changes.isEmpty
        while !Task.isCancelled, !gone.isEmpty {
            try await library.forget(gone.prefix(Self.batch).filter(isGone))
            // A pack may have changed by it.
            arrived()
            gone.removeFirst(min(Self.batch, gone.count))
            try drain()
        }
    }

    private func tell(of arrivals: [Arrival]) async throws {
        let inodes = Dictionary(arrivals.map { ($0.path, $0.identity.inode) }) { $1 }
        let renamed = try await library.formerNames(of: arrivals).filter { path, former in
            // link(2) gives a second name and leaves the first.
            guard let status = status(of: former) else { return isGone(former) }
            return status.identity.inode != inodes[path]
        }
        if try await library.record(arrivals, renamed: renamed) > 0 { arrived() }
    }

    /// Takes what the kernel has for us without waiting.
    func drain() throws {
        for _ in 0..<Self.readsInARow {
            let events = try next(timeout: .zero)
            guard !events.isEmpty else { break }
            handle(events)
        }
        answer()
    }

    private func next(timeout: Duration) throws -> [InotifyEvent] {
        do throws(Errno) {
            return try inotify.next(timeout: timeout)
        } catch {
            throw InboxError(code: .unwatchable, folder: folder, cause: error)
        }
    }

    private func answer() {
        isAsked.store(false, ordering: .releasing)
    }

    private func adoptRules() {
        guard let fresh = freshRules.withLock({ $0.take() }), fresh != rules else { return }
        if fresh.mode != rules.mode { unwatchAll() }
        rules = fresh
        coverage.mode = fresh.mode
        news.rescan = true
        news.rulesChanged = true
    }
}
