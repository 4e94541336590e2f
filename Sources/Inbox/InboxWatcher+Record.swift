import FileNames
import FoundationEssentials
import LinuxIO
import PhotoLibrary

/// Records changes in the Library.
extension InboxWatcher {
    /// The most rounds of changes recorded before removals, so that steady events cannot stop these.
    private static let maxRounds = 4
    /// How often a file that left the inbox is looked for again while it is in progress.
    private static let departureCheck = Duration.milliseconds(200)
    /// The longest time between reading the two halves of a rename.
    private static let renameGap = Duration.milliseconds(5)

    /// Records the queued changes in the Library, and keeps emptying the kernel's queue meanwhile. What it reads then
    /// is recorded, too, unless events do not cease. If the task is cancelled, the scan of the next start finds the
    /// rest.
    ///
    /// Removals come last, because a renamed file is recognized by its old name. They count as from before the
    /// arrivals.
    ///
    /// - Parameter start: when the oldest of the changes may have happened.
    func recordChanges(since start: Date = .now) async throws {
        var gone: [InboxPath] = []
        for _ in 0..<Self.maxRounds where !changes.isEmpty || !halfRenames.isEmpty {
            // First, so that a round that takes an old name takes the new one, too.
            if !halfRenames.isEmpty {
                handle(try next(until: now + Self.renameGap))
                halfRenames = []
            }
            let end = changes.end
            while !Task.isCancelled, let batch = changes.next(limit: Self.batch, before: end) {
                if !batch.arrivals.isEmpty { try await record(batch.arrivals) }
                gone += batch.gone
                try drain()
            }
        }
        while !Task.isCancelled, !gone.isEmpty {
            try await forget(gone.prefix(Self.batch).filter(isGone), isLogged: false, at: start)
            // The removal may have changed a pack.
            arrived()
            gone.removeFirst(min(Self.batch, gone.count))
            try drain()
        }
    }

    private func forget(_ paths: [InboxPath], isLogged: Bool, at date: Date = .now) async throws {
        await beforeCall(.forget)
        watchDepartures(of: try await library.forget(paths, isLogged: isLogged, at: date))
    }

    func watchDepartures(of unfinished: [InboxPath]) {
        guard !unfinished.isEmpty else { return }
        departing.formUnion(unfinished)
        nextDepartureCheck = now + Self.departureCheck
    }

    /// Records files that left the inbox while they were in progress, once they are finished.
    func recordDepartures() async throws {
        guard !departing.isEmpty, nextDepartureCheck <= now else { return }
        let paths = departing.sorted()
        departing = []
        // Its files have not left an inbox that is unmounted.
        try requirePlace()
        try await forget(paths.filter(isGone), isLogged: true)
        arrived()
    }

    private func record(_ arrivals: [Arrival]) async throws {
        let inodes = Dictionary(arrivals.map { ($0.path, $0.identity.inode) }) { $1 }
        let renamed = try await library.formerNames(of: arrivals).filter { path, former in
            // link(2) adds a name and keeps the first: that is no rename.
            isGone(former) || status(of: former).map { $0.identity.inode != inodes[path] } == true
        }
        await beforeCall(.record)
        let hasQueued = try await library.record(arrivals, renamed: renamed) > 0
        // A rename changes words in the index. What is no photo may have taken a photo's name.
        if hasQueued || !renamed.isEmpty || arrivals.contains(where: { $0.verdict != .ready }) { arrived() }
    }
}
