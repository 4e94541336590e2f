import CLinuxShims
import Glibc

/// Whether long computations yield the processor to other programs again and again (`linux_yield_if_due`).
package enum Yielding {
    /// The process is to use only what others leave.
    private static let lowest: Int32 = 19

    /// Lets them yield if the process has the lowest priority (nice(1)). Call it while the process has one thread.
    package static func enableIfLowest() {
        linux_enable_yielding(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == lowest)
    }
}
