import LinuxIO
package import Logging
import Subprocess
package import SystemPackage

/// The worker processes: keeps a fixed number of them alive, and gives each photo to the one that was idle longest.
///
/// A worker that dies costs the photo it had and is replaced. All of them end before `run()` returns, and by themselves
/// when this process is gone, because their socket closes.
package actor WorkerPool {
    private let executable: FilePath
    private let count: Int
    private let logger: Logger
    private var idle: [WorkerConnection] = []
    private var alive: [ObjectIdentifier: WorkerConnection] = [:]
    private var waiters: [CheckedContinuation<WorkerConnection?, Never>] = []
    private var stopping = false

    /// How long a place stays empty after a process that ended sooner than this.
    private static let restartDelay = Duration.seconds(1)

    /// - Parameter executable: a stickerd binary; it is started with the argument `worker`.
    package init(executable: FilePath, count: Int, logger: Logger) {
        precondition(count > 0)
        self.executable = executable
        self.count = count
        self.logger = logger
    }

    /// Keeps the workers alive until `stop()`, and returns when all of them have ended.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { await self.keepOneAlive() }
            }
        }
    }

    /// Ends every worker. Photos that have or still wait for one fail with `.unavailable` or `.died`: stop who gives
    /// out photos first.
    package func stop() {
        stopping = true
        for connection in alive.values { connection.hangUp() }
        for waiter in waiters { waiter.resume(returning: nil) }
        waiters = []
        idle = []
    }

    /// Has one worker do `request` on the photo behind `descriptor`, which is borrowed; waits for a worker if need be.
    ///
    /// - Returns: the worker's answer, and the bytes of its pictures one after the other.
    package func perform(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) async throws(WorkerError) -> (WorkerReply, [UInt8]) {
        while let connection = await nextIdle() {
            let reply: WorkerReply
            let body: [UInt8]
            do throws(WorkerConnection.Trouble) {
                (reply, body) = try await connection.exchange(request, descriptor: descriptor, timeout: timeout)
            } catch {
                switch error {
                case .notTaken: continue
                case .died: throw WorkerError(.died, "its worker \(await connection.ending.value)")
                case .timedOut:
                    throw WorkerError(
                        .timedOut, "it takes longer than limits.secondsPerPhoto allows (\(timeout.components.seconds) s)")
                }
            }
            offer(connection)
            if let refusal = reply.failure { throw WorkerError(.refused, refusal) }
            return (reply, body)
        }
        throw WorkerError(.unavailable, "the workers are stopping")
    }

    private func nextIdle() async -> WorkerConnection? {
        if stopping { return nil }
        if !idle.isEmpty { return idle.removeFirst() }
        return await withCheckedContinuation { waiters.append($0) }
    }

    private func offer(_ connection: WorkerConnection) {
        guard !stopping, alive[ObjectIdentifier(connection)] != nil else { return }
        if waiters.isEmpty { idle.append(connection) } else { waiters.removeFirst().resume(returning: connection) }
    }
}

// MARK: - Supervision

extension WorkerPool {
    private func keepOneAlive() async {
        while !stopping {
            let started = ContinuousClock.now
            do {
                try await runOne()
            } catch {
                logger.error("Cannot start a worker", metadata: ["reason": "\(error)"])
            }
            if !stopping, started.duration(to: .now) < Self.restartDelay {
                // Cancelled only with the whole process.
                try? await Task.sleep(for: Self.restartDelay)
            }
        }
    }

    private func runOne() async throws {
        let (ours, theirs) = try MessageSocket.pair()
        let connection = try WorkerConnection(socket: ours)
        var inherited: MessageSocket? = theirs
        // A terminal's Ctrl-C is for the daemon alone, which ends its workers when their photos are finished.
        var options = PlatformOptions()
        options.processGroupID = 0
        defer { retire(connection) }
        let result = try await Subprocess.run(
            .path(executable), arguments: Arguments(executablePathOverride: "stickerd", remainingValues: ["worker"]), platformOptions: options,
            input: .fileDescriptor(FileDescriptor(rawValue: theirs.raw), closeAfterSpawningProcess: false),
            output: .discarded, error: .currentStandardError
        ) { execution in
            // Or the worker's end would never look closed.
            inherited = nil
            admit(connection)
            if await connection.retired.value == .worthless { try? execution.send(signal: .kill) }
            connection.close()
        }
        _ = inherited
        connection.ending.set(Self.words(for: result.terminationStatus))
    }

    private func admit(_ connection: WorkerConnection) {
        guard !stopping else { return connection.hangUp() }
        alive[ObjectIdentifier(connection)] = connection
        offer(connection)
    }

    private func retire(_ connection: WorkerConnection) {
        alive[ObjectIdentifier(connection)] = nil
        idle.removeAll { $0 === connection }
        connection.ending.set("could not be started")
    }

    private static func words(for status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "ended with status \(code)"
        case .signaled(let signal): "was stopped by signal \(signal)"
        }
    }
}
