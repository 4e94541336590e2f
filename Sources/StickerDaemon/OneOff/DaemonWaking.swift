import Glibc

/// Tells a running daemon that there is something for it in the Library.
enum DaemonWaking {
    /// - Parameter process: nil where no daemon is running.
    /// - Returns: whether it was told, and whether one is running that this user may not tell.
    static func tell(_ process: Int32?) -> (isTold: Bool, isRefused: Bool) {
        guard let process else { return (false, false) }
        let isTold = kill(process, SIGUSR1) == 0
        return (isTold, !isTold)
    }
}
