import FileNames
import HeapModule
import LinuxIO

/// Files for which no close event is expected, each with the time at which it will have settled.
struct SettleQueue {
    private struct Wait {
        let identity: FileIdentity
        let until: ContinuousClock.Instant
    }

    private struct Deadline: Comparable {
        let until: ContinuousClock.Instant
        /// Breaks ties: of equal deadlines, the first added is due first.
        let number: Int
        let path: InboxPath

        static func < (left: Deadline, right: Deadline) -> Bool {
            (left.until, left.number) < (right.until, right.number)
        }

        static func == (left: Deadline, right: Deadline) -> Bool { left.number == right.number }
    }

    private var waits: [InboxPath: Wait] = [:]
    /// May contain entries that are no longer in `waits`.
    private var deadlines: Heap<Deadline> = []
    private var added = 0

    /// When the next file is due; may be early, never late.
    var deadline: ContinuousClock.Instant? { deadlines.min?.until }

    var isEmpty: Bool { waits.isEmpty }

    func contains(_ path: InboxPath) -> Bool { waits[path] != nil }

    /// Starts the file's settle time, or restarts it if the file has changed.
    mutating func add(_ path: InboxPath, _ identity: FileIdentity, until: ContinuousClock.Instant) {
        guard waits[path]?.identity != identity else { return }
        waits[path] = Wait(identity: identity, until: until)
        deadlines.insert(Deadline(until: until, number: added, path: path))
        added += 1
    }

    mutating func remove(_ path: InboxPath) {
        waits[path] = nil
    }

    mutating func removeAll(where isGone: (InboxPath) -> Bool) {
        waits = waits.filter { !isGone($0.key) }
    }

    /// Removes the files whose settle time is over. Returns them with their identities when it began.
    mutating func due(at now: ContinuousClock.Instant) -> [(path: InboxPath, identity: FileIdentity)] {
        var due: [(path: InboxPath, identity: FileIdentity)] = []
        while let next = deadlines.min, next.until <= now {
            deadlines.removeMin()
            guard let wait = waits[next.path], wait.until == next.until else { continue }
            waits[next.path] = nil
            due.append((next.path, wait.identity))
        }
        return due
    }
}
