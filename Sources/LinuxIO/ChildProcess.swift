internal import CLinuxShims
import Glibc
import Synchronization
package import SystemPackage

/// A child process in its own process group. It inherits one descriptor and standard error, nothing else.
///
/// A dedicated thread reaps it as soon as it ends. Releasing this object does not kill it.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        /// With this exit status, 0…255.
        case exited(Int32)
        /// By the signal of this number.
        case signaled(Int32)

        /// - Parameter status: as set by wait(2).
        init(status: Int32) {
            self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
        }
    }

    private let process: pid_t
    /// After reaping, the PID may be another process's.
    private let isReaped = Mutex(false)

    /// - Parameters:
    ///   - arguments: the first is the program's own name.
    ///   - environment: the complete environment.
    ///   - standardInput: borrowed; standard output is `/dev/null`.
    ///   - onEnd: called once, on the reaping thread.
    /// - Throws: the error of fork or exec, such as for a missing program.
    package init(
        _ executable: FilePath, arguments: [String], environment: [String: String], standardInput: Int32,
        onEnd: @escaping @Sendable (Ending) -> Void
    ) throws(Errno) {
        process = try Self.spawn(
            executable, arguments: arguments, environment: environment.map { "\($0)=\($1)" },
            standardInput: standardInput)
        do throws(Errno) {
            try DetachedThread.start(name: "reaper") { onEnd(self.reap()) }
        } catch {
            kill()
            _ = reap()
            throw error
        }
    }

    /// Kills the process, unless it has ended. May be called from any thread, repeatedly.
    package func kill() {
        isReaped.withLock { isReaped in
            if !isReaped { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// The processor time that all its threads have used; nil if it has ended and been reaped.
    package var processorTime: Duration? {
        isReaped.withLock { isReaped in
            var clock = clockid_t()
            var time = timespec()
            // Each call writes one value. Unlike /proc, a clock can be read of a process that is not dumpable.
            guard !isReaped, unsafe clock_getcpuclockid(process, &clock) == 0,
                unsafe clock_gettime(clock, &time) == 0
            else { return nil }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    private func reap() -> Ending {
        var ignored = unsafe siginfo_t()
        // WNOWAIT leaves a zombie, so that its PID is not reused yet. waitid(2) fails only if interrupted.
        _ = try? Errno.retry { unsafe waitid(P_PID, id_t(process), &ignored, WEXITED | WNOWAIT) }
        return isReaped.withLock { isReaped in
            var status: Int32 = 0
            _ = try? Errno.retry { unsafe waitpid(process, &status, 0) }
            isReaped = true
            return Ending(status: status)
        }
    }

    private static func spawn(
        _ executable: FilePath, arguments: [String], environment: [String], standardInput: Int32
    ) throws(Errno) -> pid_t {
        var argumentPointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var environmentPointers = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            // Allocated by strdup(3) above.
            unsafe argumentPointers.forEach { unsafe free($0) }
            unsafe environmentPointers.forEach { unsafe free($0) }
        }
        var process: pid_t = -1
        // Both arrays end with nil; everything outlives the call.
        let code = unsafe executable.withPlatformString { path in
            unsafe linux_spawn(path, &argumentPointers, &environmentPointers, standardInput, &process)
        }
        guard code == 0 else { throw Errno(rawValue: code) }
        return process
    }
}
