import Glibc
import LinuxIO
import Logging
import PhotoLibrary
import ServiceLifecycle
import Systemd
import UnixSignals

/// The signals that make the daemon read its settings again. SIGHUP is one of them unless it means that the terminal
/// was closed.
package struct ReloadSignals: Sendable {
    let signals: UnixSignalsSequence

    /// Whether SIGHUP stops the daemon.
    static var stopOnHangup: Bool { isatty(STDERR_FILENO) == 1 }

    /// Traps the signals now; a running daemon handles those that came before. Call it before the settings are read and
    /// the Library is opened: commands signal the process that a `DaemonStatus` names.
    package init() async {
        signals = await UnixSignalsSequence(trapping: Self.stopOnHangup ? [.sigusr1] : [.sigusr1, .sighup])
    }
}

/// The signals that stop the daemon. After the first, it finishes the photos in progress; after the second, it exits at
/// once and releases them, uncounted.
struct StopSignals: Sendable {
    private let trapped: [UnixSignal]
    private let signals: UnixSignalsSequence

    /// How long the Library may take to record a stop or a release. If it takes longer, the photos in progress may
    /// become suspects.
    private static let patience = Duration.milliseconds(500)

    /// Traps the signals now; `endAtOnce` and `stop` handle them. Untrapped, they would end the process during its
    /// start.
    init(_ signals: [UnixSignal]) async {
        trapped = signals
        self.signals = await UnixSignalsSequence(trapping: signals)
    }

    /// Restores the signals' default action, which ends the process.
    func untrap() {
        for signal in trapped { _ = Glibc.signal(signal.rawValue, SIG_DFL) }
    }

    /// Ends the process on the first signal, after releasing the photos in progress, uncounted. Runs until cancelled.
    func endAtOnce(_ library: Library) async {
        for await signal in signals { await Self.end(library, by: signal) }
    }

    /// Stops the services on a signal. Runs until cancelled.
    func stop(_ services: ServiceGroup, library: Library, logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            if isStopping {
                logger.warning("Stopping now; the current photos are retried at the next start")
                await Self.end(library, by: signal)
            }
            isStopping = true
            // Before waiting for the photos in progress: the process may be killed before they are finished.
            await Self.patiently { try await library.recordStop() }
            let again = isatty(STDERR_FILENO) == 1 ? "; Ctrl-C again stops now" : ""
            logger.info("Stopping after the current photos\(again)")
            await services.triggerGracefulShutdown()
        }
    }

    /// Calls the Library, but does not wait longer than `patience`, because it may wait for its disk.
    private static func patiently(_ call: @escaping @Sendable () async throws -> Void) async {
        let (over, end) = AsyncStream<Void>.makeStream()
        Task {
            try? await call()
            end.finish()
        }
        Task {
            try? await Task.sleep(for: patience)
            end.finish()
        }
        for await _ in over {}
    }

    private static func end(_ library: Library, by signal: UnixSignal) async {
        await patiently { _ = try await library.releaseAll() }
        die(of: signal)
    }

    /// Ends the process by the signal, so that its parent sees the cause.
    private static func die(of signal: UnixSignal) -> Never {
        DraftFile.removeAll()
        LogQueue.finish()
        _ = Glibc.signal(signal.rawValue, SIG_DFL)
        // Threads of the pool block signals. Another thread might take this one too late, after `_exit`.
        var own = sigset_t()
        // The set outlives the calls.
        unsafe sigemptyset(&own)
        unsafe sigaddset(&own, signal.rawValue)
        unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(signal.rawValue)
        // A signal cannot end the first process of a container.
        _exit(128 + signal.rawValue)
    }
}
