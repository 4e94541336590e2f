import LinuxIO
import PhotoLibrary

/// Files that no event will call finished, each with the moment at which it is still enough.
struct SettleQueue {
    private struct Wait {
        let identity: FileIdentity
        let until: ContinuousClock.Instant
    }

    private var waits: [InboxPath: Wait] = [:]
    /// In the order of their deadlines, with entries that `waits` no longer agrees to.
    private var queue: [(path: InboxPath, until: ContinuousClock.Instant)] = []
    private var head = 0

    /// When the next file is due; may be early, never late.
    var deadline: ContinuousClock.Instant? {
        head < queue.count ? queue[head].until : nil
    }

    var isEmpty: Bool { waits.isEmpty }

    func contains(_ path: InboxPath) -> Bool { waits[path] != nil }

    /// Starts the file's time, or starts it anew where the file is not what it was.
    mutating func add(_ path: InboxPath, _ identity: FileIdentity, until: ContinuousClock.Instant) {
        guard waits[path]?.identity != identity else { return }
        waits[path] = Wait(identity: identity, until: until)
        queue.append((path, until))
    }

    mutating func remove(_ path: InboxPath) {
        waits[path] = nil
    }

    mutating func removeAll(where isGone: (InboxPath) -> Bool) {
        waits = waits.filter { !isGone($0.key) }
    }

    /// Takes the files whose time is over, with what they were when it began.
    mutating func due(at now: ContinuousClock.Instant) -> [(path: InboxPath, identity: FileIdentity)] {
        var due: [(path: InboxPath, identity: FileIdentity)] = []
        while head < queue.count, queue[head].until <= now {
            let (path, until) = queue[head]
            head += 1
            guard let wait = waits[path], wait.until == until else { continue }
            waits[path] = nil
            due.append((path, wait.identity))
        }
        if head * 2 >= queue.count {
            queue.removeFirst(head)
            head = 0
        }
        return due
    }
}
