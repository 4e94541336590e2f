import Glibc
import LinuxIO

/// How a worker process ended, in words for whoever finds the photo it had.
struct WorkerEnding: CustomStringConvertible {
    /// Completes "its worker …".
    let description: String

    init(_ ending: ChildProcess.Ending) {
        description =
            switch ending {
            case .exited(let code): "ended with status \(code)"
            case .signaled(let signal): Self.words(forSignal: signal)
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
