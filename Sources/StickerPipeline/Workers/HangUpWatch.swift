import Glibc
import LinuxIO
import SystemPackage

/// Ends a worker process as soon as the other end of its socket is closed, however busy the worker is: it must not
/// outlive its daemon.
enum HangUpWatch {
    /// Keeps the calling thread until the process ends.
    static func stay(with socket: MessageSocket) -> Never {
        // POLLHUP is always reported and nothing else is asked for: poll(2) sleeps until the peer is gone.
        var watched = pollfd(fd: socket.raw, events: 0, revents: 0)
        // One record.
        _ = try? Errno.retry { unsafe poll(&watched, 1, -1) }
        _exit(0)
    }
}
