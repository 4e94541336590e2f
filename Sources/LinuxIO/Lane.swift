import CLinuxShims
import Glibc
package import SystemPackage

/// A thread of its own on which actors may block: jobs run one after the other, in the order they came.
///
/// An actor names its lane in `unownedExecutor` and owns it. The thread ends after the last job, once nobody holds the
/// lane any more.
package final class Lane: SerialExecutor {
    private let queue: LaneQueue

    /// - Parameter name: of the thread, for ps and gdb; 15 bytes are kept.
    package init(name: String) throws(Errno) {
        let queue = LaneQueue(name: name)
        self.queue = queue
        var thread = pthread_t()
        // The thread's function takes over the reference.
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<LaneQueue>.fromOpaque(argument).takeRetainedValue().work()
                }
                return nil
            }, Unmanaged.passRetained(queue).toOpaque())
        guard code == 0 else {
            // No thread came to take it over.
            unsafe Unmanaged.passUnretained(queue).release()
            throw Errno(rawValue: code)
        }
        pthread_detach(thread)
    }

    deinit { queue.end() }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), lane: self)
    }
}
