package import Logging
import LinuxIO
import PhotoLibrary
import Synchronization
package import SystemPackage

/// Watches the folder where photos are dropped, and tells the Library of every file that is ready; opens none of them.
///
/// The photos themselves are only looked at by name and by stat(2). An actor on a thread of its own, where it blocks in
/// poll(2) while nothing happens: while `run` is under way, only what is `nonisolated` answers at once.
package actor Inbox {
    /// Files told to the Library in one transaction.
    static let batch = 500
    /// Files of a backlog that are sorted together; what is beyond follows in a second round.
    static let maxSorted = 250_000
    /// Names of a folder read, or events read in a row, before something else has its turn.
    static let stride = 1024
    static let readsInARow = 16

    let folder: FilePath
    let library: any InboxLedger
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
    /// Subfolders that cannot be watched or read, to be named once only.
    var troubled: Set<InboxPath> = []
    private var nextRescan = ContinuousClock.now

    // The actor holds its lane.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: must exist.
    ///   - arrived: called after files went into the queue; must not block.
    package init(
        folder: FilePath, rules: InboxRules, library: any InboxLedger, logger: Logger,
        arrived: @escaping @Sendable () -> Void
    ) throws(InboxError) {
        do throws(Errno) {
            inotify = try Inotify()
            lane = try Lane(name: "inbox")
        } catch {
            throw InboxError(code: .unwatchable, folder: folder, cause: error)
        }
        self.folder = folder
        self.library = library
        self.logger = logger
        self.arrived = arrived
        self.rules = rules
    }

    /// Watches the inbox and its subfolders. What is dropped after this returns will be seen, once `run` is called.
    package func prepare() async throws {
        try await library.setScanning(true)
        try watchAll()
    }

    /// Tells the Library of what lies there, then of what comes, until the task is cancelled.
    ///
    /// - Throws: `InboxError` when the inbox itself is gone, or what the Library throws.
    package func run() async throws {
        let inotify = inotify
        try await withTaskCancellationHandler {
            try await rescan()
            while !Task.isCancelled { try await turn() }
        } onCancel: {
            inotify.wake()
        }
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
        try handle(events)
        settleDue()
        adoptRules()
        if news.rescan || nextRescan <= .now { try await rescan() }
        try await readNews()
        try await tell()
        answer()
    }

    private var untilNextDeadline: Duration {
        guard news.isEmpty else { return .zero }
        return min(settling.deadline ?? nextRescan, nextRescan) - .now
    }

    private func rescan() async throws {
        news.rescan = false
        try await library.setScanning(true)
        try await readAll()
        try await tell()
        try await library.setScanning(false)
        nextRescan = .now + .seconds(rules.rescanSeconds)
    }

    /// Tells the Library what there is to tell, and keeps the kernel's queue empty meanwhile. What a cancelled task
    /// leaves untold is found by the scan of the next start.
    func tell() async throws {
        while !Task.isCancelled, let batch = changes.next(limit: Self.batch) {
            switch batch {
            case .arrived(let arrivals): if try await library.record(arrivals) > 0 { arrived() }
            case .gone(let paths): try await library.forget(paths)
            }
            try drain()
        }
    }

    /// Takes what the kernel has for us without waiting.
    func drain() throws {
        for _ in 0..<Self.readsInARow {
            let events = try next(timeout: .zero)
            guard !events.isEmpty else { break }
            try handle(events)
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
        rules = fresh
        news.rescan = true
        news.rulesChanged = true
    }
}
