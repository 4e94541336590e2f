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
        /// The call whose task ends the gathering.
        var timed: Int?

        /// Has the first of them sync the folder.
        mutating func begin(gathering: Bool) {
            guard !isSyncing, let first = waiters.first,
                !gathering || waiters.count >= FolderSyncs.enoughCalls || waiters.contains(where: { !$0.canGather })
            else { return }
            isSyncing = true
            first.continuation.resume(returning: .sync(waiters.dropFirst().map(\.continuation)))
            waiters = []
            timed = nil
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
        let isTimed = queues.withLock { queues in
            guard gathering, queues[place]?.timed == nil else { return false }
            queues[place, default: Queue()].timed = number
            return true
        }
        switch isTimed ? await timedTurn(number, place) : await turn(number, place, gathering: gathering) {
        case .done(let result): try result.get()
        case .sync(let others):
            let result = Result { () throws(Errno) in try synchronize(folder) }
            for other in others { other.resume(returning: .done(result)) }
            passOn(place)
            try result.get()
        }
    }

    private func timedTurn(_ number: Int, _ place: FileNode) async -> Turn {
        async let _: Void = endGathering(of: number, place)
        return await turn(number, place, gathering: true)
    }

    private func turn(_ number: Int, _ place: FileNode, gathering: Bool) async -> Turn {
        await withCheckedContinuation { continuation in
            queues.withLock { queues in
                // Within the lock: `endGathering` comes before it, and ends, only if the task is cancelled.
                let canGather = gathering && !Task.isCancelled
                queues[place, default: Queue()].waiters.append((number, continuation, canGather))
                queues[place]?.begin(gathering: true)
            }
        }
    }

    private func endGathering(of number: Int, _ place: FileNode) async {
        // Until the caller's scope ends, in which case others may still gather. Repeats, because a busy machine may
        // take longer to let the caller wait.
        repeat {
            try? await clock.sleep(for: Self.gatheringTime)
            queues.withLock { queues in
                guard queues[place]?.waiters.contains(where: { $0.number == number }) == true else { return }
                queues[place]?.begin(gathering: false)
            }
        } while !Task.isCancelled
    }

    /// Lets the calls that came during the fsync have theirs.
    private func passOn(_ place: FileNode) {
        queues.withLock { queues in
            queues[place]?.isSyncing = false
            queues[place]?.begin(gathering: true)
            if let queue = queues[place], !queue.isSyncing, queue.waiters.isEmpty { queues[place] = nil }
        }
    }
}
