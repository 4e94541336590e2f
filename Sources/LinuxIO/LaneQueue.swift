import Synchronization

/// What a lane and its thread share: the jobs waiting, and a semaphore that is raised when there is news.
final class LaneQueue: Sendable {
    private struct State: Sendable {
        // Each job holds its lane: an executor must outlive the jobs it runs.
        var jobs: [(job: UnownedJob, lane: Lane)] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let news = Semaphore()

    func append(_ job: UnownedJob, lane: Lane) {
        let isFirst = state.withLock { state in
            state.jobs.append((job, lane))
            return state.jobs.count == 1
        }
        if isFirst { news.signal() }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        news.signal()
    }

    /// The thread's whole life.
    func work() {
        while true {
            news.wait()
            var (jobs, hasEnded) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.hasEnded)
            }
            if jobs.isEmpty, hasEnded { return }
            jobs.reverse()
            // One at a time: a lane must not be held by a job that is over.
            while let (job, lane) = jobs.popLast() {
                // The job was enqueued on this lane and is run once.
                unsafe job.runSynchronously(on: lane.asUnownedSerialExecutor())
            }
        }
    }
}
