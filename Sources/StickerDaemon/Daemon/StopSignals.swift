import Glibc
import Logging
import PhotoLibrary
import ServiceLifecycle
import UnixSignals

/// The signals that stop the daemon. The first one has it finish what is in hand; the second one ends it at once: what is
/// in hand goes back to the queue, and that is not counted against anybody.
struct StopSignals: Sendable {
    private let trapped: [UnixSignal]
    private let signals: UnixSignalsSequence

    /// How long the Library may take to record either. If it takes longer, the photo in progress may become a suspect.
    private static let patience = Duration.milliseconds(500)

    /// From here on they are heard, if late: untrapped they would end the process in the middle of its start.
    init(_ signals: [UnixSignal]) async {
        trapped = signals
        self.signals = await UnixSignalsSequence(trapping: signals)
    }

    /// Restores the signals' default, which ends the process.
    func untrap() {
        for signal in trapped { _ = Glibc.signal(signal.rawValue, SIG_DFL) }
    }

    /// Ends the process on the first signal, after releasing the photos in progress, uncounted. Runs until cancelled.
    func endAtOnce(_ library: PhotoLibrary) async {
        for await signal in signals { await Self.end(library, by: signal) }
    }

    /// Until it is cancelled.
    func stop(_ services: ServiceGroup, library: PhotoLibrary, logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            if isStopping {
                logger.warning("Told to stop again: ending at once; what is in hand is tried again at the next start")
                await Self.end(library, by: signal)
            }
            isStopping = true
            await Self.recordStop(in: library)
            logger.info("Told to stop: what is in hand is finished first")
            await services.triggerGracefulShutdown()
        }
    }

    /// Records the stop before waiting for the photos in progress: the process may be killed before they are finished.
    /// A Library that waits for its disk does not delay the stop.
    private static func recordStop(in library: PhotoLibrary) async {
        let (over, end) = AsyncStream<Void>.makeStream()
        Task {
            try? await library.recordStop()
            end.finish()
        }
        Task {
            try? await Task.sleep(for: patience)
            end.finish()
        }
        for await _ in over {}
    }

    private static func end(_ library: PhotoLibrary, by signal: UnixSignal) async {
        await withTaskGroup { group in
            group.addTask { _ = try? await library.releaseAll() }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            // The group would wait for a Library that waits for its disk.
            die(of: signal)
        }
    }

    /// As every program does that does not trap it.
    private static func die(of signal: UnixSignal) -> Never {
        _ = Glibc.signal(signal.rawValue, SIG_DFL)
        // Threads of the pool block signals. If another thread took this one, it could come too late: after `_exit`.
        var own = sigset_t()
        // The set outlives the calls.
        unsafe sigemptyset(&own)
        unsafe sigaddset(&own, signal.rawValue)
        unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(signal.rawValue)
        // The first process of a container cannot die of it.
        _exit(128 + signal.rawValue)
    }
}
