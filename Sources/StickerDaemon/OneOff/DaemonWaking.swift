import Glibc
import LinuxIO

/// Signals a running daemon to check the Library.
package enum DaemonWaking {
    /// A one-line message if the daemon cannot be signaled.
    package static let refusal =
        "cannot signal the running daemon (another user's, or in another container); run: systemctl reload stickerd"

    /// - Parameter process: nil if no daemon is running.
    /// - Returns: whether it was signaled, and whether a daemon is running that this process may not signal.
    static func wake(_ process: ProcessIdentity?) -> (isSignaled: Bool, isRefused: Bool) {
        guard let process else { return (false, false) }
        do {
            try process.signal(SIGUSR1)
            return (true, false)
        } catch {
            return (false, true)
        }
    }
}
