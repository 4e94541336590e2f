package import FileNames
package import LinuxIO
package import Logging
import Synchronization
import Systemd

/// The current conditions. This is the only place where they begin and end; holds, journal messages, the status line
/// and `stickerd status` follow from them.
package final class CurrentConditions: Sendable {
    private struct Entry {
        let condition: Condition
        var reason: String
        var backoff: Backoff
        /// When the next try is due; nil for a condition that lasts until `end`.
        var nextTry: ContinuousClock.Instant?
    }

    /// How long an expired hold is kept without a retry.
    package static let forgottenAfter = Duration.seconds(300)

    /// Oldest first.
    private let entries = Mutex<[Entry]>([])
    /// The packs whose ZIP is late.
    private let lateArchives = Mutex<Set<ExactName>>([])
    private let scanning = Atomic(false)
    /// By which retries are scheduled. All parts that share these conditions sleep by it, too.
    package let clock: any MonotonicClock
    private let logger: Logger
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called from any thread when `reasons`, `hasLateArchive` or `isScanning` changes.
    package init(
        logger: Logger, clock: any MonotonicClock = ContinuousClock(), onChange: @escaping @Sendable () -> Void = {}
    ) {
        self.clock = clock
        self.logger = logger
        self.onChange = onChange
    }

    // MARK: Beginning and end

    /// Records a condition that lasts until `end`, or the new reason of a current one.
    ///
    /// - Parameters:
    ///   - condition: what work waits for.
    ///   - reason: one line for a person, with the file and the fix, if any.
    ///   - isLogged: false if the caller logs it in more detail.
    package func begin(_ condition: Condition, because reason: String, isLogged: Bool = true) {
        let (isFirst, isNew) = entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.condition == condition }) else {
                entries.append(Entry(condition: condition, reason: reason, backoff: Backoff(), nextTry: nil))
                return (true, true)
            }
            defer { entries[index].reason = reason }
            return (false, !entries[index].reason.isExactly(reason))
        }
        if isNew, isLogged { log(condition, reason, isFirst: isFirst) }
        if isNew { onChange() }
    }

    /// Records a failed try, and schedules the next.
    ///
    /// - Parameters:
    ///   - refused: what the try met.
    ///   - reason: as for `begin`.
    ///   - fixedWait: until the next try; nil for the condition's backoff.
    /// - Returns: the time until the next try, or nil if one is already scheduled.
    package func refuse(_ refused: Condition, because reason: String, for fixedWait: Duration? = nil) -> Duration? {
        let refusal: (Condition, Duration, isFirst: Bool)? = entries.withLock { entries in
            let condition = Self.escalated(refused, entries)
            let index = entries.firstIndex { $0.condition == condition }
            if let index, let next = entries[index].nextTry, next > clock.now { return nil }
            var entry = index.map { entries[$0] } ?? Entry(condition: condition, reason: reason, backoff: Backoff())
            let wait = fixedWait ?? entry.backoff.next()
            entry.reason = reason
            entry.nextTry = clock.now + wait
            if let index { entries[index] = entry } else { entries.append(entry) }
            return (condition, wait, index == nil)
        }
        guard let (condition, wait, isFirst) = refusal else { return nil }
        log(condition, reason, isFirst: isFirst, wait)
        onChange()
        return wait
    }

    /// Ends a condition if it is current.
    package func end(_ condition: Condition) {
        let wasThere = entries.withLock { entries in
            let count = entries.count
            entries.removeAll { $0.condition == condition }
            return entries.count < count
        }
        guard wasThere else { return }
        onChange()
        logger.log(
            level: min(condition.level, .notice), "\(condition.end)",
            metadata: condition.events.map { ["event": "\($0.end.rawValue)"] })
    }

    /// Ends the wait of a file for its rest, whichever contents it had.
    package func endIncomplete(_ file: Int64) {
        for case .incomplete(file, let arrival) in current.map(\.condition) { end(.incomplete(file, arrival: arrival)) }
    }

    /// How many photos wait for their rest.
    package var incompleteCount: Int {
        entries.withLock { $0.count { if case .incomplete = $0.condition { true } else { false } } }
    }

    /// Drops, without logging, conditions whose next try was due by `limit`: their photos have left the inbox.
    package func forget(dueBy limit: ContinuousClock.Instant) {
        let isNew = entries.withLock { entries in
            let count = entries.count
            entries.removeAll { $0.nextTry.map { $0 <= limit } ?? false }
            return entries.count < count
        }
        if isNew { onChange() }
    }

    /// Records whether a pack's ZIP is late: it is being written, or was a short time ago. Nothing waits for it.
    package func setArchive(ofPack pack: ExactName, isLate: Bool) {
        let isNew = lateArchives.withLock { isLate ? $0.insert(pack).inserted : $0.remove(pack) != nil }
        if isNew { onChange() }
    }

    /// Whether a pack's ZIP is late.
    package var hasLateArchive: Bool { lateArchives.withLock { !$0.isEmpty } }

    /// Whether the whole inbox is being read: more files may be found, and those that are missing under another name.
    package var isScanning: Bool {
        get { scanning.load(ordering: .acquiring) }
        set { if scanning.exchange(newValue, ordering: .acquiringAndReleasing) != newValue { onChange() } }
    }

    // MARK: What is stopped

    package func has(_ condition: Condition) -> Bool {
        entries.withLock { $0.contains { $0.condition == condition } }
    }

    /// All conditions, oldest first, with one line each for a person.
    package var current: [(condition: Condition, reason: String)] {
        entries.withLock { $0.map { ($0.condition, $0.reason) } }
    }

    /// One line per condition, oldest first.
    package var reasons: [String] { current.map(\.reason) }

    /// What must not be claimed now. Files are Library keys.
    package struct Held: Equatable, Sendable {
        package var all = false
        package var packs: Set<ExactName> = []
        package var files: Set<Int64> = []
        /// Whether those that were moved out of the inbox are held.
        package var moved = false
        /// Places in the order of arrival.
        package var arrivals: Set<Int64> = []

        package var isEmpty: Bool { self == Held() }
    }

    package var held: Held {
        let now = clock.now
        return entries.withLock { entries in
            entries.reduce(into: Held()) { held, entry in
                if let next = entry.nextTry, next <= now { return }
                switch entry.condition {
                case .inboxAway, .inboxUnreadable, .outboxAway, .diskFull, .shortage: held.all = true
                case .pack(let pack): held.packs.insert(pack)
                case .photo(let file): held.files.insert(file)
                case .receiverAway: held.moved = true
                // Others that get the file's name do not wait.
                case .incomplete(_, let arrival): held.arrivals.insert(arrival)
                // These stop nothing that waits to be claimed.
                case .foldersClosed, .library, .workers, .originals, .settings, .index, .archive, .exports: break
                }
            }
        }
    }

    private static func escalated(_ condition: Condition, _ entries: [Entry]) -> Condition {
        let isOneTooMany =
            condition.isOfPhoto && !entries.contains { $0.condition == condition }
            && entries.count(where: \.condition.isOfPhoto) >= maxPhotos
        return isOneTooMany ? .inboxUnreadable : condition
    }

    /// The most unreadable photos that are held individually: each claim lists them, and with more, the inbox is the
    /// cause.
    private static let maxPhotos = 16

    private func log(_ condition: Condition, _ reason: String, isFirst: Bool, _ wait: Duration? = nil) {
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let events = condition.events { metadata["event"] = "\(events.beginning.rawValue)" }
        if let wait { metadata["seconds"] = "\(Int((wait / .seconds(1)).rounded()))" }
        logger.log(level: isFirst ? condition.level : .debug, "\(condition.beginning)", metadata: metadata)
    }
}
