import CSystemd
import Glibc

/// Tells the service manager how the service is doing (sd_notify(3)). Outside systemd every call does nothing.
package struct ServiceNotifier: Sendable {
    private let send: @Sendable (String) -> Void

    /// Speaks to `NOTIFY_SOCKET`. A message that cannot be sent is dropped: the service goes on without its manager.
    package init() {
        self.init { message in
            // sd_notify copies the text before it returns, and `0` leaves the environment as it is.
            _ = unsafe sd_notify(0, message)
        }
    }

    /// `send` gets each datagram's text: one assignment a line.
    package init(send: @escaping @Sendable (String) -> Void) {
        self.send = send
    }

    /// The service is up, or a reload is over.
    package func ready(status: String) {
        send("READY=1\n" + Self.line(status: status))
    }

    /// The line `systemctl status` shows.
    package func status(_ text: String) {
        send(Self.line(status: text))
    }

    /// Reports that the start takes longer but makes progress: the service manager waits this long from now on.
    package func extendTimeout(by duration: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(duration.components.seconds * 1_000_000)")
    }

    /// Settings are being read again; `ready(status:)` ends it. `Type=notify-reload` wants the time in the same
    /// datagram, and takes a later one for the start of another reload.
    package func reloading() {
        var now = timespec()
        // `now` outlives the call, which writes nothing else.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
    }

    /// The service is on its way down; it has `TimeoutStopSec=` left.
    package func stopping(status: String) {
        send("STOPPING=1\n" + Self.line(status: status))
    }

    /// Feeds the watchdog.
    package func alive() {
        send("WATCHDOG=1")
    }

    /// How often `alive()` is due: half of `WatchdogSec=`, as sd_watchdog_enabled(3) advises. Nil where this process is
    /// not watched.
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        // `microseconds` outlives the call; `0` leaves the environment as it is.
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(microseconds / 2))
    }

    // A newline in the text would start an assignment of its own.
    private static func line(status: String) -> String {
        "STATUS=" + PlainText.escaped(status, limit: maxStatusBytes)
    }

    private static let maxStatusBytes = 1024
}
