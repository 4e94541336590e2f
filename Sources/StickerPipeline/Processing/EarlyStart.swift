import Synchronization
import Workers

/// The work of a worker that begins while the photo is still being hashed.
///
/// Only the hash shows whether the Library already knows the photo. If it does, the result is dropped. The work begins
/// only if a worker is idle, so dropped work never waits in the pool; a later photo waits at most until a worker has
/// finished such work.
final class EarlyStart: Sendable {
    private typealias Product = Result<WorkerProduct?, WorkerError>

    private let workers: WorkerPool
    private let request: WorkerRequest
    private let timeout: Duration
    private let task = Mutex<Task<Product, Never>?>(nil)

    /// - Parameters:
    ///   - workers: one of them gets the photo.
    ///   - request: as for `WorkerPool.performIfIdle`.
    ///   - timeout: as for `WorkerPool.performIfIdle`.
    init(_ workers: WorkerPool, _ request: WorkerRequest, timeout: Duration) {
        self.workers = workers
        self.request = request
        self.timeout = timeout
    }

    /// Gives the photo to a worker, if one is idle. Call it once.
    func begin(_ file: PhotoFile) {
        let (workers, request, timeout) = (workers, request, timeout)
        // If the result is dropped, the task ends with the worker's reply, or when the workers stop.
        let work = Task { () -> Product in
            // The file stays open until the reply, even if its photo's work ends earlier.
            defer { extendLifetime(file) }
            do throws(WorkerError) {
                return .success(
                    try await workers.performIfIdle(request, descriptor: file.descriptor, timeout: timeout))
            } catch {
                return .failure(error)
            }
        }
        task.withLock { $0 = work }
    }

    /// The worker's result; nil if the work has not begun.
    func product() async throws(WorkerError) -> WorkerProduct? {
        guard let task = task.withLock({ $0 }) else { return nil }
        return try await task.value.get()
    }
}
