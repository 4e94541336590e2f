import CSystemd
import Glibc

/// Reports the service's state to the service manager (sd_notify(3)). Outside systemd every call does nothing.
package struct ServiceNotifier: Sendable {
    private let send: @Sendable (String) -> Void

    /// Sends to `NOTIFY_SOCKET`. A message that cannot be sent is dropped: the service continues without its manager.
    package init() {
        self.init { message in
            // sd_notify copies the text before it returns; `0` keeps the environment unchanged.
            _ = unsafe sd_notify(0, message)
        }
    }

    /// - Parameter send: called with each datagram's text, one assignment per line.
    package init(send: @escaping @Sendable (String) -> Void) {
        self.send = send
    }

    /// Reports that the service has started, or that a reload has ended.
    package func ready(status: String) {
        send("READY=1\n" + Self.line(status: status))
    }

    /// Sets the line that `systemctl status` shows.
    package func status(_ text: String) {
        send(Self.line(status: text))
    }

    /// Reports that the start takes longer but makes progress: the service manager waits this long from now on.
    package func extendTimeout(by duration: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(duration.components.seconds * 1_000_000)")
    }

    /// Reports the start of a reload; `ready(status:)` ends it. `Type=notify-reload` requires the time in the same
    /// datagram.
    package func reloading() {
        var now = timespec()
        // `now` outlives the call, which writes nothing else.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
    }

    /// Reports that the service is stopping, for which it has `TimeoutStopSec=`.
    package func stopping(status: String) {
        send("STOPPING=1\n" + Self.line(status: status))
    }

    /// Sends the watchdog ping.
    package func alive() {
        send("WATCHDOG=1")
    }

    /// Whether a service manager awaits this process's reports.
    package static var isService: Bool { unsafe getenv("NOTIFY_SOCKET") != nil }

    /// How often `alive()` is due: half of `WatchdogSec=`, as sd_watchdog_enabled(3) advises; nil without a watchdog.
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        // `microseconds` outlives the call; `0` keeps the environment unchanged.
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(microseconds / 2))
    }

    // A newline in the text would start another assignment.
    private static func line(status: String) -> String {
        "STATUS=" + PlainText.escaped(status, limit: maxStatusBytes)
    }

    private static let maxStatusBytes = 1024
}
