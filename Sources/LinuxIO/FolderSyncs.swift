import Synchronization
package import SystemPackage

/// Syncs folders so that concurrent calls for one folder share an fsync.
///
/// A call that comes while its folder is being synced waits for the next fsync, because the running one may not include
/// its change. A call that can wait gathers others for a moment before its fsync begins.
package final class FolderSyncs: Sendable {
    /// What a waiting call does next.
    private enum Turn: Sendable {
        /// Syncs the folder for itself and for these calls.
        case sync([CheckedContinuation<Turn, Never>])
        /// Another call has synced the folder for it.
        case done(Result<Void, Errno>)
    }

    /// The calls that wait for the next fsync of a folder.
    private struct Queue {
        var waiters: [(number: Int, continuation: CheckedContinuation<Turn, Never>, canGather: Bool)] = []
        var isSyncing = false

        /// Has the first of them sync the folder.
        mutating func begin() {
            guard !isSyncing, let first = waiters.first,
                waiters.count >= FolderSyncs.enoughCalls || waiters.contains(where: { !$0.canGather })
            else { return }
            isSyncing = true
            first.continuation.resume(returning: .sync(waiters.dropFirst().map(\.continuation)))
            waiters = []
        }
    }

    /// How long calls gather at most, and how many end it.
    static let (gatheringTime, enoughCalls) = (Duration.milliseconds(100), 4)
    private let queues = Mutex<[FileNode: Queue]>([:])
    private let count = Atomic(0)
    private let clock: any MonotonicClock
    private let synchronize: @Sendable (Int32) throws(Errno) -> Void

    /// How many calls wait for the next fsync of their folder.
    package var waiting: Int { queues.withLock { $0.values.reduce(0) { $0 + $1.waiters.count } } }

    /// - Parameters:
    ///   - clock: for the time that calls gather.
    ///   - synchronize: syncs an open folder; may block.
    package init(
        clock: any MonotonicClock = ContinuousClock(),
        _ synchronize: @escaping @Sendable (Int32) throws(Errno) -> Void = { folder throws(Errno) in
            try AtomicFile.synchronize(folder)
        }
    ) {
        (self.clock, self.synchronize) = (clock, synchronize)
    }

    /// Returns when an fsync that began after the call has ended. Blocks the caller's thread while it is this call's
    /// turn.
    ///
    /// - Parameters:
    ///   - folder: an open folder, borrowed.
    ///   - gathering: whether others may join it first, which takes up to `gatheringTime`.
    package func sync(_ folder: Int32, gathering: Bool = false) async throws(Errno) {
        let place = try FileStatus(ofDescriptor: folder).identity.node
        let number = count.add(1, ordering: .relaxed).newValue
        let turn = await withCheckedContinuation { continuation in
            let isFirst = queues.withLock { queues in
                let canGather = gathering && !Task.isCancelled
                queues[place, default: Queue()].waiters.append((number, continuation, canGather))
                let isFirst = canGather && queues[place]?.waiters.count == 1
                queues[place]?.begin()
                return isFirst
            }
            if isFirst { endGathering(of: number, place) }
        }
        switch turn {
        case .done(let result): try result.get()
        case .sync(let others):
            let result = Result { () throws(Errno) in try synchronize(folder) }
            for other in others { other.resume(returning: .done(result)) }
            passOn(place)
            try result.get()
        }
    }

    /// Ends the gathering that this call has begun, and later ones have joined, after its time.
    private func endGathering(of number: Int, _ place: FileNode) {
        Task { [weak self, clock] in
            try? await clock.sleep(for: Self.gatheringTime)
            self?.queues.withLock { queues in
                guard let index = queues[place]?.waiters.firstIndex(where: { $0.number == number }) else { return }
                // If an fsync is running, the next one begins at its end.
                queues[place]?.waiters[index].canGather = false
                queues[place]?.begin()
            }
        }
    }

    /// Lets the calls that came during the fsync have theirs.
    private func passOn(_ place: FileNode) {
        queues.withLock { queues in
            queues[place]?.isSyncing = false
            queues[place]?.begin()
            if let queue = queues[place], !queue.isSyncing, queue.waiters.isEmpty { queues[place] = nil }
        }
    }
}
