import LinuxIO
package import Logging
package import SystemPackage

/// The worker processes: keeps a fixed number of them alive, and gives each photo to the one that was idle longest.
///
/// A worker that dies costs the photo it had and is replaced. All of them end before `run()` returns, and by themselves
/// when this process is gone, because their socket closes.
package actor WorkerPool {
    private let executable: FilePath
    private let count: Int
    private let conditions: Conditions
    private let logger: Logger
    private let model: ModelFile?
    private let modelIsLoaded: @Sendable (ModelFacts) -> Void
    /// What the first worker that loaded the model said of it.
    private var modelFacts: ModelFacts?
    /// Why no worker can ever use the model.
    private var modelRefusal: WorkerError?
    private var idle: [WorkerConnection] = []
    private var alive: [ObjectIdentifier: WorkerConnection] = [:]
    private var waiters: [CheckedContinuation<WorkerConnection?, Never>] = []
    /// Photos that a worker has.
    private var inHand = 0
    private var stopping = false
    private var isClosed = false
    private let pause = Pause()
    /// In a row, of any worker.
    private var failedStarts = 0
    private var hasWarned = false

    /// How often workers may end before they are ready until it is clear that none ever will be.
    private static let maxFailedStarts = 5
    /// How many workers may end under a photo's eyes without having taken it.
    private static let maxTries = 4
    /// Longest time from a process's start to its readiness.
    private static let startTimeout = Duration.seconds(30)
    /// How long a place stays empty after a process that ended sooner than this.
    private static let restartDelay = RetryPolicy.workerRestart.longest

    /// - Parameters:
    ///   - executable: a stickerd binary; it is started with the argument `worker`.
    ///   - model: what the workers run instead of the embedded network.
    ///   - conditions: get `.workers` while the system lets no worker start; its own where nil.
    ///   - modelIsLoaded: called once, before the first photo, if there is a model.
    package init(
        executable: FilePath, count: Int, model: ModelFile? = nil, conditions: Conditions? = nil, logger: Logger,
        modelIsLoaded: @escaping @Sendable (ModelFacts) -> Void = { _ in }
    ) {
        precondition(count > 0)
        self.executable = executable
        self.count = count
        self.conditions = conditions ?? Conditions(logger: logger)
        self.logger = logger
        self.model = model
        self.modelIsLoaded = modelIsLoaded
    }

    /// Keeps the workers alive until `stop()` or cancellation, and returns when all of them have ended.
    ///
    /// - Throws: `WorkerError.Code.unavailable` if workers end again and again before they are ready: no photo is to
    ///   blame for that; `.unusableModel`.
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

    /// Gives no worker to anybody any more: photos that wait for one, or will, fail with `.unavailable`. A stop need not
    /// wait for a worker that hangs in its start. Who has a worker keeps it.
    package func close() {
        isClosed = true
        for waiter in waiters { waiter.resume(returning: nil) }
        waiters = []
    }

    /// Ends every worker. Photos that have or still wait for one fail with `.unavailable` or `.died`: stop who gives
    /// out photos first.
    package func stop() {
        close()
        stopping = true
        pause.end()
        for connection in alive.values { connection.hangUp() }
        idle = []
    }

    /// Has one worker do `request` on the photo behind `descriptor`, which is borrowed; waits for a worker if need be.
    ///
    /// - Parameter timeout: for the worker's answer, beside `extraTime`; waiting for a worker does not count.
    /// - Returns: the worker's reply, checked against `request`, and the bytes of its pictures, or of the mask, one
    ///   after the other.
    package func perform(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) async throws(WorkerError) -> (WorkerReply, [UInt8]) {
        var tries = 0
        while let connection = await nextIdle() {
            tries += 1
            let reply: WorkerReply
            let body: [UInt8]
            inHand += 1
            defer { inHand -= 1 }
            do throws(WorkerConnection.ExchangeError) {
                (reply, body) = try await connection.exchange(
                    request, descriptor: descriptor, timeout: timeout + extraTime)
            } catch {
                switch error {
                case .notTaken where tries < Self.maxTries: continue
                case .died where stopping: throw WorkerError(.unavailable, "the workers are stopping")
                case .notTaken, .died: throw WorkerError(.died, "its worker \(await connection.ending.value)")
                case .timedOut:
                    throw WorkerError(
                        .timedOut,
                        "it takes longer than limits.secondsPerPhoto allows (\(timeout.components.seconds) s"
                            + (modelFacts == nil ? ")" : " and \(extraTime.components.seconds) s for the model)"))
                case .invalid(let reply): throw reply
                }
            }
            offer(connection)
            if let refusal = reply.failure {
                throw WorkerError(reply.isUnreadable == true ? .unreadable : .refused, refusal)
            }
            return (reply, body)
        }
        throw WorkerError(.unavailable, modelRefusal?.description ?? "the workers are stopping")
    }

    /// What the model may take of a photo's time beyond the settings' limit; none for the embedded network.
    package var extraTime: Duration { modelFacts?.extraTime ?? .zero }

    /// Whether photos wait for a worker and none has one: the next one is being started, or cannot be just now.
    package var isAwaited: Bool { !waiters.isEmpty && inHand == 0 }

    private func nextIdle() async -> WorkerConnection? {
        if isClosed { return nil }
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
    private func keepOneAlive() async throws {
        var backoff = Backoff()
        while !stopping {
            let started = ContinuousClock.now
            do {
                try await runOne()
                backoff = Backoff()
            } catch let error as Errno where error.isTransient {
                // Photos wait for the workers that are left.
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
                throw WorkerError(.unavailable, "the workers end before they are ready")
            }
            if !stopping, started.duration(to: .now) < Self.restartDelay {
                // Cancelled only with the whole process.
                try? await Task.sleep(for: Self.restartDelay)
            }
        }
    }

    private func runOne() async throws {
        let (socket, rawEnd) = try MessageSocket.pairForChild()
        let childEnd = OwnedDescriptor(owning: rawEnd.rawValue)
        let connection = try WorkerConnection(socket: socket)
        defer { retire(connection) }
        let ended = OneShot<WorkerEnding>()
        // In a process group of its own: a terminal's Ctrl-C is for the daemon alone, which ends its workers when their
        // photos are finished.
        let worker = try ChildProcess(
            executable, arguments: ["stickerd", "worker"] + (model == nil ? [] : ["--model"]),
            environment: WorkerEnvironment.current,
            standardInput: childEnd.raw
        ) { ending in
            ended.set(WorkerEnding(ending))
            connection.hangUp()
        }
        // As long as it is open here, the worker's death goes unnoticed by who waits for an answer.
        _ = consume childEnd
        await admit(connection)
        await connection.retired.value
        // It has nothing to lose, and may be beyond hearing.
        worker.kill()
        let ending = await ended.value
        connection.ending.set("\(ending)")
        if !connection.wasReady, !connection.wasLate, !stopping, let shortage = ending.shortage { throw shortage }
        if !connection.wasReady, !stopping, modelRefusal == nil {
            throw WorkerError(.unavailable, "it \(ending) before it was ready")
        }
    }

    private func admit(_ connection: WorkerConnection) async {
        guard !stopping else { return connection.hangUp() }
        alive[ObjectIdentifier(connection)] = connection
        let readiness: WorkerConnection.Readiness
        do throws(WorkerError) {
            guard let ready = try await connection.waitUntilReady(model: model, timeout: Self.startTimeout) else {
                return
            }
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

    /// A worker goes on without what the kernel or a container refuses; that is said once for all of them.
    private func warn(of gaps: [String]) {
        guard !gaps.isEmpty, !hasWarned else { return }
        hasWarned = true
        logger.warning("Workers are not fully confined", metadata: ["reason": "\(gaps.joined(separator: "; "))"])
    }

    private func retire(_ connection: WorkerConnection) {
        alive[ObjectIdentifier(connection)] = nil
        idle.removeAll { $0 === connection }
        connection.ending.set("could not be started")
    }
}
