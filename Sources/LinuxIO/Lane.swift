package import SystemPackage

/// A thread of its own on which actors may block: jobs run one after the other, in the order they came.
///
/// An actor names its lane in `unownedExecutor` and owns it. The thread ends after the last job, once nobody holds the
/// lane any more.
package final class Lane: SerialExecutor {
    private let queue = LaneQueue()

    /// - Parameter name: of the thread, for ps and gdb; 15 bytes are kept.
    /// - Throws: where the system has no thread to spare.
    package init(name: String) throws(Errno) {
        try DetachedThread.start(name: name) { [queue] in queue.work() }
    }

    deinit { queue.end() }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), lane: self)
    }
}
