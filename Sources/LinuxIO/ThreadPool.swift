import Synchronization
package import SystemPackage

/// Some threads that run the jobs of tasks which prefer them, in the order they came; they end with the process.
///
/// For processes that cannot use libdispatch's threads, whose supervisor opens files in `/proc` while they are busy.
package final class ThreadPool: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let news = Semaphore()

    /// - Throws: where the system has no thread to spare. Those that were made already stay, idle.
    package init(threads: Int, name: String) throws(Errno) {
        for _ in 0..<threads {
            try DetachedThread.start(name: name) { self.work() }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        news.signal()
    }

    private func work() -> Never {
        while true {
            news.wait()
            // Raised once for each job.
            let job = jobs.withLock { $0.removeFirst() }
            // The job was enqueued here and is run once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
