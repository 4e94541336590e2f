import Glibc
import LinuxIO
import SystemPackage

/// Ends a worker process as soon as the other end of its socket is closed, however busy the worker is: it must not
/// outlive its daemon.
enum HangUpWatch {
    /// Watches until the process ends.
    static func start(on socket: MessageSocket) throws(Errno) {
        let lane = try Lane(name: "hang-up-watch")
        let watch = Watch(lane: lane, socket: socket)
        Task { await watch.waitForHangUp() }
    }

    private actor Watch {
        private let lane: Lane
        private let socket: MessageSocket

        // The actor holds its lane.
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

        init(lane: Lane, socket: MessageSocket) {
            self.lane = lane
            self.socket = socket
        }

        func waitForHangUp() {
            // POLLHUP is always reported and nothing else is asked for: poll(2) sleeps until the peer is gone.
            var watched = pollfd(fd: socket.raw, events: 0, revents: 0)
            // One record.
            _ = try? Errno.retry { unsafe poll(&watched, 1, -1) }
            _exit(0)
        }
    }
}
