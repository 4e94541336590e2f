import Glibc
import LinuxIO

/// Signals a running daemon to check the Library.
package enum DaemonWaking {
    /// One line for a person if the daemon cannot be signalled.
    package static let refusal =
        "cannot signal the running daemon (another user's, or in another container); run: systemctl reload stickerd"

    /// - Parameter process: nil if no daemon is running.
    /// - Returns: whether it was signalled, and whether one is running that cannot be signalled from here.
    static func tell(_ process: ProcessIdentity?) -> (isTold: Bool, isRefused: Bool) {
        guard let process else { return (false, false) }
        do {
            try process.signal(SIGUSR1)
            return (true, false)
        } catch {
            return (false, true)
        }
    }
}
