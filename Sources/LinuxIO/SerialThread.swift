import CLinuxShims
import Dispatch
import Glibc
import Synchronization
package import SystemPackage

/// A serial executor with its own thread, for blocking actors. Jobs run in the order in which they were enqueued.
///
/// A `ThreadOwner` has it. After the last reference is gone, the thread ends with the last job.
package final class SerialThread: SerialExecutor {
    private let queue: JobQueue

    /// - Parameters:
    ///   - name: of the thread, for ps and gdb; 15 bytes are kept.
    ///   - diskWaits: if given, a long job counts as waiting for a disk: its file calls may all block on one.
    /// - Throws: if no thread is available.
    package init(name: String, diskWaits: DiskWaits? = nil) throws(Errno) {
        queue = JobQueue(diskWaits)
        try DetachedThread.start(name: name) { [queue] in queue.work() }
    }

    deinit { queue.end() }

    /// Runs part of a job, on this thread, that waits for something other than a disk. The rest of the job counts as
    /// begun afterwards.
    package func waitingForOther<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        queue.endWait()
        defer { queue.beginWait() }
        return try body()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), executor: self)
    }
}

/// An actor whose jobs all run on a thread of its own, so that they may block.
package protocol ThreadOwner: Actor {
    /// The same one for the actor's life, which ends the thread.
    nonisolated var thread: SerialThread { get }
}

extension ThreadOwner {
    // The actor owns its executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
}

/// The waiting jobs, shared by the executor and its thread.
private final class JobQueue: Sendable {
    private struct State: Sendable {
        // Each job retains its executor, which must outlive its jobs.
        var jobs: [(job: UnownedJob, executor: SerialThread)] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)
    private let diskWaits: DiskWaits?
    /// Of the current job.
    private let wait = Mutex<DiskWaits.Wait?>(nil)

    init(_ diskWaits: DiskWaits?) { self.diskWaits = diskWaits }

    func beginWait() { wait.withLock { $0 = diskWaits?.begin() } }

    func endWait() {
        if let ended = wait.withLock({ $0.take() }) { diskWaits?.end(ended) }
    }

    func append(_ job: UnownedJob, executor: SerialThread) {
        let isFirst = state.withLock { state in
            state.jobs.append((job, executor))
            return state.jobs.count == 1
        }
        if isFirst { changed.signal() }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        changed.signal()
    }

    /// The thread's body.
    func work() {
        while true {
            changed.wait()
            var (jobs, hasEnded) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.hasEnded)
            }
            if jobs.isEmpty, hasEnded { return }
            jobs.reverse()
            // Pop one job at a time: a finished job must not keep the executor alive.
            while let (job, executor) = jobs.popLast() {
                beginWait()
                // The job was enqueued on this executor and is run once.
                unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
                endWait()
            }
        }
    }
}

/// A task executor with a fixed number of threads, which run jobs in order and end with the process.
///
/// For processes that cannot use libdispatch's threads, whose manager opens files in `/proc` while they are busy.
package final class ThreadPool: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let available = DispatchSemaphore(value: 0)

    /// - Throws: if a thread cannot be created. Those created before stay, idle.
    package init(threads: Int, name: String) throws(Errno) {
        for _ in 0..<threads {
            try DetachedThread.start(name: name) { self.work() }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        available.signal()
    }

    private func work() -> Never {
        while true {
            available.wait()
            // Signaled once for each job.
            let job = jobs.withLock { $0.removeFirst() }
            // The job was enqueued here and is run once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A detached thread.
enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Parameter name: for ps and gdb; 15 bytes are kept.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        let start = Start {
            // The kernel copies the name.
            _ = unsafe linux_set_thread_name(name)
            body()
        }
        var thread = pthread_t()
        // The thread's function takes ownership of the reference.
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        guard code == 0 else {
            // No thread has taken ownership.
            unsafe Unmanaged.passUnretained(start).release()
            throw Errno(rawValue: code)
        }
        pthread_detach(thread)
    }

    private final class Start: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
