import Glibc
import LinuxIO
import SystemPackage

/// How a worker process ended, in words for whoever finds the photo it had.
struct WorkerEnding: CustomStringConvertible {
    /// Completes "its worker …".
    let description: String
    /// Where it ended before it was ready, what kept it from starting; nil where that will never be otherwise.
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
            // The filter of system calls; the kernel's log has the call's number.
            case SIGSYS: "was stopped: it tried something that is forbidden to it"
            case SIGKILL: "was killed, most likely because the system ran out of memory"
            case SIGXCPU: "has used up its processor time"
            case SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT: "crashed"
            default: "was stopped"
            }
        return "\(reason) (signal \(signal))"
    }
}
