import CLinuxShims
import Glibc
package import SystemPackage

/// What a process says to the kernel about itself.
package enum ThisProcess {
    /// Has this process killed when its parent ends. Call it first thing in a child.
    ///
    /// The kernel means the thread that made the child (prctl(2)): a parent must start children from a thread that
    /// lives as long as they.
    /// - Parameter parent: whose child this should be; `Errno.noSuchProcess` where that one has ended already.
    package static func endWithParent(_ parent: Int32) throws(Errno) {
        _ = try Errno.retry { linux_set_parent_death_signal(SIGKILL) }
        guard getppid() == parent else { throw .noSuchProcess }
    }
}
