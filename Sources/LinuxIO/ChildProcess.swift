internal import CLinuxShims
import Glibc
import Synchronization
package import SystemPackage

/// A child process in a process group of its own, which inherits one descriptor and standard error, and nothing else.
///
/// It is reaped as soon as it ends, on a thread that waits for nothing else; it is not killed when this object goes.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        /// With this exit status, 0…255.
        case exited(Int32)
        /// By the signal of this number.
        case signaled(Int32)

        /// As wait(2) gives it.
        init(status: Int32) {
            self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
        }
    }

    private let process: pid_t
    /// Once it is reaped its number may be somebody else's.
    private let isReaped = Mutex(false)

    /// - Parameters:
    ///   - arguments: the program's own name first.
    ///   - environment: all of it.
    ///   - standardInput: borrowed; standard output is `/dev/null`.
    ///   - onEnd: called once, from a thread of its own.
    /// - Throws: also where there is no such program.
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

    /// From any thread, any number of times, also when it has ended.
    package func kill() {
        isReaped.withLock { isReaped in
            if !isReaped { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    private func reap() -> Ending {
        var ignored = unsafe siginfo_t()
        // Left to be reaped, so that its number is still its own; nothing but a signal can interrupt this.
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
            // Made above.
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
