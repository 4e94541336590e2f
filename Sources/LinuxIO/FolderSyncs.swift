import Synchronization
package import SystemPackage

/// Syncs folders so that concurrent calls for one folder share an fsync.
///
/// A call that comes while its folder is being synced waits for the next fsync, because the running one may not include
/// its change.
package final class FolderSyncs: Sendable {
    /// What a waiting call does next.
    private enum Turn: Sendable {
        /// Syncs the folder for itself and for these calls.
        case sync([Waiter])
        /// Another call has synced the folder for it.
        case done(Result<Void, Errno>)
    }

    private typealias Waiter = CheckedContinuation<Turn, Never>

    /// The folders that are being synced, each with the calls that wait for its next fsync.
    private let running = Mutex<[FileNode: [Waiter]]>([:])
    private let synchronize: @Sendable (Int32) throws(Errno) -> Void

    /// How many calls wait for the next fsync of their folder.
    package var waiting: Int { running.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    package convenience init() {
        self.init { folder throws(Errno) in try AtomicFile.synchronize(folder) }
    }

    /// - Parameter synchronize: syncs an open folder; may block.
    package init(_ synchronize: @escaping @Sendable (Int32) throws(Errno) -> Void) {
        self.synchronize = synchronize
    }

    /// Returns when an fsync that began after the call has ended. Blocks the caller's thread while it is this call's
    /// turn.
    ///
    /// - Parameter folder: an open folder, borrowed.
    package func sync(_ folder: Int32) async throws(Errno) {
        let place = try FileStatus(ofDescriptor: folder).identity.node
        let turn = await withCheckedContinuation { (waiter: Waiter) in
            let isFirst = running.withLock { running in
                running[place]?.append(waiter)
                guard running[place] == nil else { return false }
                running[place] = []
                return true
            }
            if isFirst { waiter.resume(returning: .sync([])) }
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

    /// Lets the calls that came during the fsync have theirs.
    private func passOn(_ place: FileNode) {
        let waiting = running.withLock { running in
            let waiting = running[place] ?? []
            running[place] = waiting.isEmpty ? nil : []
            return waiting
        }
        waiting.first?.resume(returning: .sync(Array(waiting.dropFirst())))
    }
}
