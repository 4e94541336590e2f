import Glibc
package import Logging
import Systemd

extension Logger {
    /// The process's logger: writes to the journal if standard error is the journal, or else readable lines.
    package static func stickerd(level: Logger.Level, environment: [String: String]) -> Logger {
        let destination = LogDestination.suiting(descriptor: STDERR_FILENO, environment: environment)
        return Logger(label: "stickerd") { _ in JournalLogHandler(destination: destination, level: level) }
    }
}
