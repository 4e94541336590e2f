import Glibc
import LinuxIO
import SystemPackage

/// Why a worker returned no result.
package struct WorkerError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The worker rejected the photo.
        case refused
        /// The worker could not read the photo's bytes from the disk.
        case unreadable
        /// The process ended while processing the photo, or sent an invalid reply.
        case died
        /// The photo took too long; the process was killed.
        case timedOut
        /// No worker can run the model of the settings.
        case unusableModel
        /// There is no worker: the pool is stopping, or none can be started.
        case unavailable
    }

    package let code: Code
    /// One line for a person.
    package let description: String
    /// Whether the photo's file ends before its container says so.
    package let endsEarly: Bool

    /// - Parameter detail: completes the message; must not contain text from the reply.
    static func invalidReply(_ detail: String) -> WorkerError {
        WorkerError(.died, "its worker sent an invalid reply: \(detail)")
    }

    init(_ code: Code, _ description: String, endsEarly: Bool = false) {
        self.code = code
        self.description = description
        self.endsEarly = endsEarly
    }
}

/// How a worker process ended, for the reason of its photo's failure.
struct WorkerEnding: CustomStringConvertible {
    /// Completes "its worker …".
    let description: String
    /// If it ended before it was ready, the shortage that explains it; nil if a retry would not help.
    let shortage: Errno?

    init(_ ending: ChildProcess.Ending) {
        description =
            switch ending {
            case .exited(let code): "ended with status \(code)"
            case .signaled(let signal): Self.words(forSignal: signal)
            }
        shortage =
            switch ending {
            case .exited(WorkerLoop.cannotStartNow): .resourceTemporarilyUnavailable
            case .signaled(SIGKILL): .noMemory
            default: nil
            }
    }

    private static func words(forSignal signal: Int32) -> String {
        let reason =
            switch signal {
            // By the system call filter; the kernel's log has the call's number.
            case SIGSYS: "was stopped: it made a forbidden system call"
            case SIGKILL: "was killed, most likely because the system ran out of memory"
            case SIGXCPU: "exceeded its limit of processor time"
            case SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT: "crashed"
            default: "was stopped"
            }
        return "\(reason) (signal \(signal))"
    }
}
