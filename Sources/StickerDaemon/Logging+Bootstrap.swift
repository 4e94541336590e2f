import Glibc
package import Logging
import Systemd

extension Logger {
    /// The process's own logger: to the journal where standard error is the journal, readable lines otherwise.
    package static func stickerd(level: Logger.Level, environment: [String: String]) -> Logger {
        let destination = LogDestination.suiting(descriptor: STDERR_FILENO, environment: environment)
        return Logger(label: "stickerd") { _ in JournalLogHandler(destination: destination, level: level) }
    }
}
