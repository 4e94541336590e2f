package import Conditions
package import LinuxIO
package import Logging
import PrometheusMetrics
import Synchronization
package import SystemPackage

/// Keeps a fixed number of worker processes alive, and gives each photo to the one that was idle longest.
///
/// A worker that dies fails only its photo and is replaced. All workers end before `run()` returns, and when this
/// process ends, because their sockets close.
package actor WorkerPool {
    private let executable: FilePath
    private let count: Int
    private let conditions: CurrentConditions
    private let logger: Logger
    private let model: ModelFile?
    private let modelIsLoaded: @Sendable (ModelFacts) -> Void
    /// The facts reported by the first worker that loaded the model.
    private var modelFacts: ModelFacts?
    /// Why no worker can ever use the model.
    private var modelRefusal: WorkerError?
    private(set) var idle: [WorkerConnection] = []
    private var alive: [ObjectIdentifier: WorkerConnection] = [:]
    private var waiters: [CheckedContinuation<WorkerConnection?, Never>] = []
    /// How many photos workers are processing.
    private var inProgress = 0
    private var ended = 0
    /// How often a worker got more time than its photo's limit, ever.
    private let extensions = Atomic(0)
    private var stopping = false
    private let isClosed = Atomic(false)
    private let pause: Pause
    /// Consecutive failed starts of any workers.
    private var failedStarts = 0
    /// The layers of confinement that workers lack, one line each.
    package private(set) var gaps: [String] = []
    private let restarts = MetricsMemory.ofProcess.number(.workerRestarts)

    /// How many consecutive workers may end before they are ready.
    private static let maxFailedStarts = 5
    /// Workers to try if each exits before taking the photo.
    private static let maxTries = 4
    /// The longest time from a process's start to its readiness.
    private static let startTimeout = Duration.seconds(30)
    /// A process that ended sooner than this is replaced only after this time.
    private static let restartDelay = RetryPolicy.workerRestart.longest

    /// - Parameters:
    ///   - executable: a stickerd binary, run with the argument `worker`.
    ///   - conditions: have `.workers` while no worker can be started; if nil, the pool makes its own.
    ///   - modelIsLoaded: called once, before the first photo, if there is a model.
    package init(
        executable: FilePath, count: Int, model: ModelFile? = nil, conditions: CurrentConditions? = nil, logger: Logger,
        modelIsLoaded: @escaping @Sendable (ModelFacts) -> Void = { _ in }
    ) {
        precondition(count > 0)
        self.executable = executable
        self.count = count
        self.conditions = conditions ?? CurrentConditions(logger: logger)
        pause = Pause(self.conditions.clock)
        self.logger = logger
        self.model = model
        self.modelIsLoaded = modelIsLoaded
    }

    /// Keeps the workers alive until `stop()` or cancellation, and returns when all of them have ended.
    ///
    /// - Throws: `WorkerError.Code.unavailable` if too many workers in a row end before they are ready: no photo causes
    ///   that. `.unusableModel` if the model cannot be used.
    package func run() async throws {
        try await withTaskCancellationHandler {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<count {
                    group.addTask { try await self.keepOneAlive() }
                }
            }
        } onCancel: {
            Task { await self.stop() }
        }
    }

    /// Hands out no more workers: waiting and later requests fail with `.unavailable`, so that a stop does not wait for
    /// a worker that hangs while starting. Requests that have a worker keep it, for at most their limit.
    package func close() {
        isClosed.store(true, ordering: .relaxed)
        for waiter in waiters { waiter.resume(returning: nil) }
        waiters = []
    }

    /// Ends every worker. Requests that have or await one fail with `.unavailable` or `.died`, so stop the callers of
    /// `perform` first.
    package func stop() {
        close()
        stopping = true
        pause.end()
        for connection in alive.values { connection.hangUp() }
        idle = []
    }

    /// Sends `request` and the photo's descriptor to the worker that was idle longest, or to the next to become idle.
    ///
    /// - Parameters:
    ///   - descriptor: the photo, borrowed.
    ///   - timeout: for the worker's reply, in addition to `extraTime`; waiting for a worker does not count, nor does
    ///     time in which it lacks the processor (`ReplyLimit`).
    /// - Returns: a mask if `request` asks for one, otherwise a photo.
    package func perform(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) async throws(WorkerError) -> WorkerProduct {
        if let product = try await perform(request, descriptor: descriptor, timeout: timeout, waits: true) {
            return product
        }
        throw WorkerError(.unavailable, modelRefusal?.description ?? "the workers are stopping")
    }

    /// The same without waiting for a worker: returns nil at once if none is idle.
    package func performIfIdle(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) async throws(WorkerError) -> WorkerProduct? {
        try await perform(request, descriptor: descriptor, timeout: timeout, waits: false)
    }

    /// Returns nil if there is no worker: if `waits` is false, also if none is idle.
    private func perform(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration, waits: Bool
    ) async throws(WorkerError) -> WorkerProduct? {
        var tries = 0
        while let connection = await nextIdle(waits: waits) {
            tries += 1
            let result: Result<WorkerProduct, WorkerError>
            inProgress += 1
            defer {
                inProgress -= 1
                ended += 1
            }
            do throws(WorkerConnection.ExchangeError) {
                result = try await connection.exchange(
                    request, descriptor: descriptor, timeout: timeout + extraTime, mayTakeLonger: mayTakeLonger)
            } catch {
                switch error {
                case .notTaken where tries < Self.maxTries: continue
                case .died where stopping, .timedOut(.stopping):
                    throw WorkerError(.unavailable, "the workers are stopping")
                case .notTaken, .died: throw WorkerError(.died, "its worker \(await connection.ending.value)")
                case .timedOut(let overrun):
                    throw WorkerError(
                        .timedOut,
                        "timed out (limits.secondsPerPhoto: \(timeout.seconds)"
                            + (modelFacts == nil ? ")" : ", and \(extraTime.seconds) for the model)")
                            + overrun.explanation)
                case .invalid(let reply): throw reply
                }
            }
            offer(connection)
            return try result.get()
        }
        return nil
    }

    /// Counts the time that a worker gets; false if it gets none, because a stop waits for it.
    private nonisolated func mayTakeLonger() -> Bool {
        extensions.add(1, ordering: .relaxed)
        return !isClosed.load(ordering: .relaxed)
    }

    /// How often an exchange with a worker has ended or got more time, ever.
    package var steps: Int { ended + extensions.load(ordering: .relaxed) }

    /// The time that the model may take beyond `limits.secondsPerPhoto`; zero for the embedded network.
    package var extraTime: Duration { modelFacts?.extraTime ?? .zero }

    /// Whether photos wait for a worker while none is processing one: a worker is starting, or none can be started.
    package var isAwaited: Bool { !waiters.isEmpty && inProgress == 0 }

    /// That of its conditions.
    package nonisolated var clock: any MonotonicClock { conditions.clock }

    /// Whether no worker will be handed out any more.
    package var hasEnded: Bool { isClosed.load(ordering: .relaxed) }

    private func nextIdle(waits: Bool) async -> WorkerConnection? {
        if hasEnded { return nil }
        if !idle.isEmpty { return idle.removeFirst() }
        guard waits else { return nil }
        return await withCheckedContinuation { waiters.append($0) }
    }

    private func offer(_ connection: WorkerConnection) {
        guard !stopping, alive[ObjectIdentifier(connection)] != nil else { return }
        if waiters.isEmpty { idle.append(connection) } else { waiters.removeFirst().resume(returning: connection) }
    }
}

// MARK: - Supervision

extension WorkerPool {
    private func keepOneAlive() async throws {
        var backoff = Backoff()
        while !stopping {
            let started = conditions.clock.now
            do {
                try await runOne()
                backoff = Backoff()
            } catch let error as Errno where error.isTransient {
                // Photos can wait for the remaining workers.
                conditions.begin(.workers, because: "a worker cannot be started: \(error)")
                await pause.sleep(for: backoff.next())
                continue
            } catch {
                failedStarts += 1
                logger.error("Cannot start a worker", metadata: ["reason": "\(error)"])
            }
            if let modelRefusal {
                stop()
                throw modelRefusal
            }
            if failedStarts >= Self.maxFailedStarts, !stopping {
                stop()
                throw WorkerError(.unavailable, "the workers exit before they are ready")
            }
            if stopping { return }
            restarts.increment()
            if started.duration(to: conditions.clock.now) < Self.restartDelay {
                await pause.sleep(for: Self.restartDelay)
            }
        }
    }

    private func runOne() async throws {
        let (socket, rawEnd) = try MessageSocket.pairForChild()
        let childEnd = OwnedDescriptor(owning: rawEnd.rawValue)
        let connection = try WorkerConnection(socket: socket)
        defer { retire(connection) }
        let ended = OneShot<WorkerEnding>()
        // In its own process group: a terminal's Ctrl-C must reach only the daemon, which ends its workers when their
        // photos are finished.
        let worker = try ChildProcess(
            executable, arguments: ["stickerd", "worker"] + (model == nil ? [] : ["--model"]),
            environment: WorkerEnvironment.current,
            standardInput: childEnd.raw
        ) { ending in
            ended.set(WorkerEnding(ending))
            connection.hangUp()
        }
        // Our open copy would hide the worker's exit.
        _ = consume childEnd
        await admit(connection, worker)
        await connection.retired.value
        // Killing it loses nothing, and it may be hung.
        worker.kill()
        let ending = await ended.value
        connection.ending.set("\(ending)")
        // A worker that refused the model was killed here, not by the kernel for lack of memory.
        if modelRefusal != nil { return }
        if !connection.wasReady, !connection.wasLate, !stopping, let shortage = ending.shortage { throw shortage }
        if !connection.wasReady, !stopping {
            throw WorkerError(.unavailable, "it \(ending) before it was ready")
        }
    }

    private func admit(_ connection: WorkerConnection, _ worker: ChildProcess) async {
        guard !stopping else { return connection.hangUp() }
        alive[ObjectIdentifier(connection)] = connection
        let readiness: WorkerConnection.Readiness
        do throws(WorkerError) {
            let ready = try await connection.waitUntilReady(worker, model: model, timeout: Self.startTimeout)
            guard let ready else { return }
            readiness = ready
        } catch {
            if error.code == .unusableModel { modelRefusal = error }
            return
        }
        if modelFacts == nil, let facts = readiness.model {
            modelFacts = facts
            modelIsLoaded(facts)
        }
        failedStarts = 0
        conditions.end(.workers)
        warn(of: readiness.gaps)
        offer(connection)
    }

    /// Logs, once for all workers, the layers of confinement that the kernel or a container refuses. Workers run
    /// without them.
    private func warn(of gaps: [String]) {
        guard !gaps.isEmpty, self.gaps.isEmpty else { return }
        self.gaps = gaps
        logger.warning("Workers are not fully confined", metadata: ["reason": "\(gaps.joined(separator: "; "))"])
    }

    private func retire(_ connection: WorkerConnection) {
        alive[ObjectIdentifier(connection)] = nil
        idle.removeAll { $0 === connection }
        connection.ending.set("could not be started")
    }
}
