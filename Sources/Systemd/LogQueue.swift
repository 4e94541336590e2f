import Glibc
import LinuxIO
import Synchronization
package import SystemPackage

/// Writes the log of a daemon on a thread of its own: a journal, pipe or terminal whose reader has stopped must not
/// delay work. Without `start`, and so in commands, the log is written at once.
package enum LogQueue {
    /// The most bytes that wait for the reader; further lines are dropped.
    private static let maxBytes = 1 << 20
    /// How long the process waits at its end for a reader that may have stopped.
    private static let patience = Duration.seconds(1)

    private static let thread = Mutex<DroppingThread?>(nil)

    /// - Parameter reportDropped: called with the number of lines that were dropped, once the reader reads again. May
    ///   log.
    /// - Throws: if no thread is available; the log is written at once then.
    package static func start(reportDropped: @escaping @Sendable (Int) -> Void) throws(Errno) {
        let new = try DroppingThread(name: "log", limit: maxBytes, reportDropped: reportDropped)
        thread.withLock { $0 = new }
    }

    /// Waits for the last lines. Call it before the process ends.
    package static func finish() {
        thread.withLock(\.self)?.finish(within: patience)
    }

    /// - Parameter write: called once, in the order of the calls, unless the text is dropped.
    static func append(_ text: String, _ write: @escaping @Sendable () -> Void) {
        if let thread = thread.withLock(\.self) { thread.append(cost: max(1, text.utf8.count), write) } else { write() }
    }

    /// Writes text to standard error, in one call if possible, so that processes sharing the stream do not mix their
    /// lines. If the stream is closed, the text is dropped: logging must not stop the process.
    package static func print(_ text: String) {
        append(text) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                // The pointer is used within the call, over the rest of the bytes.
                let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
            }
        }
    }
}
