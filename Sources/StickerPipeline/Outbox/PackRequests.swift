import PhotoLibrary
import Synchronization

/// What other tasks want of a PackWriter's next write. They do not wait for the writer, whose thread copies ZIPs for seconds,
/// or is blocked by a disk that does not answer.
final class PackRequests: Sendable {
    struct Requests {
        /// New settings; nil leaves them as they are.
        var settings: PackSettings?
        /// Whether to compare every file of every pack with the Library.
        var rechecksAll = false
    }

    private let waiting = Mutex(Requests())

    /// Adds to what the next `take` returns; must not block.
    func add(_ change: (inout sending Requests) -> Void) { waiting.withLock { change(&$0) } }

    /// Removes and returns everything that was added since the last call.
    func take() -> Requests {
        waiting.withLock { waiting in
            defer { waiting = Requests() }
            return waiting
        }
    }
}
