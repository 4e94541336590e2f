import Glibc

/// A child process that is killed with this object unless it has been reaped.
///
/// Foundation's `Process` reports neither the time of the end nor processor time.
final class ChildProcess {
    /// How a process ended, and the time it took.
    struct Ending {
        /// The exit status, or 128 and the signal.
        let status: Int32
        let wall: Duration
        /// Processor time in user and kernel mode, including reaped children.
        let processor: Duration
    }

    let id: pid_t
    let started: ContinuousClock.Instant
    private var ending: Ending?

    /// - Parameters:
    ///   - command: the program, searched for in `PATH`, and its arguments.
    ///   - environment: added to this process's own.
    ///   - output, errors: files that the streams are appended to.
    init(
        _ command: [String], environment: [String: String] = [:], output: String = "/dev/null",
        errors: String = "/dev/null"
    ) throws {
        // There is a single thread, so the environment cannot change during the call; the strings are copied.
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        defer { for name in environment.keys { unsafe unsetenv(name) } }
        var actions = unsafe posix_spawn_file_actions_t()
        // Made here, used by one call, freed at the end; the paths are copied.
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_APPEND
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, writing, 0o644)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, writing, 0o644)

        // Null-terminated copies that live until the call is over.
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var id = pid_t()
        let started = ContinuousClock.now
        let result = unsafe posix_spawnp(&id, command[0], &actions, nil, arguments, environ)
        guard result == 0 else { throw BenchError("\(command[0]): \(SystemError.text(result))") }
        self.id = id
        self.started = started
    }

    deinit {
        guard ending == nil else { return }
        kill(id, SIGKILL)
        // Returns soon, because the process was just killed.
        _ = waitpid(id, nil, 0)
    }

    /// Waits for the end without a timeout.
    @discardableResult
    func wait() throws -> Ending {
        if let ending { return ending }
        guard let ending = try reap(options: 0) else { throw BenchError.system("wait4") }
        return ending
    }

    /// Sends SIGTERM and waits for the end.
    ///
    /// - Throws: `BenchError` if it does not end within `limit`, or ends with a status other than 0.
    func end(within limit: Duration = .seconds(60)) throws {
        kill(id, SIGTERM)
        let deadline = ContinuousClock.now.advanced(by: limit)
        while try reap(options: WNOHANG) == nil {
            guard ContinuousClock.now < deadline else { throw BenchError("process \(id) does not stop") }
            usleep(10_000)
        }
        if let status = ending?.status, status != 0 { throw BenchError("process \(id) ended with status \(status)") }
    }

    private func reap(options: Int32) throws -> Ending? {
        var status: Int32 = 0
        var usage = rusage()
        // Both outlive the call.
        let reaped = unsafe wait4(id, &status, options, &usage)
        let now = ContinuousClock.now
        if reaped == 0 || (reaped < 0 && errno == EINTR) { return nil }
        guard reaped == id else { throw BenchError.system("wait4") }
        let signal = status & 0x7f
        ending = Ending(
            status: signal == 0 ? status >> 8 & 0xff : 128 + signal, wall: started.duration(to: now),
            processor: Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime))
        return ending
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
