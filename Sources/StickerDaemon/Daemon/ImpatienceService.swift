import Glibc
import Logging
import PhotoLibrary
import ServiceLifecycle
import UnixSignals

/// Ends the process at once when it is told to stop a second time: what is in hand goes back to the queue, and that is not
/// counted against anybody. It has to be the last service to stop.
struct ImpatienceService: Service {
    private let signals: UnixSignalsSequence
    private let library: PhotoLibrary
    private let logger: Logger

    /// How long the Library may take for that. Without it, the photo that was in hand counts as one that stopped stickerd.
    private static let patience = Duration.milliseconds(500)

    /// - Parameter signals: those that stop the daemon, trapped before it can be told anything.
    init(signals: UnixSignalsSequence, library: PhotoLibrary, logger: Logger) {
        self.signals = signals
        self.library = library
        self.logger = logger
    }

    func run() async throws {
        var isStopping = false
        for await signal in signals.cancelOnGracefulShutdown() {
            if isStopping { await end(by: signal) }
            logger.info("Told to stop: what is in hand is finished first")
            isStopping = true
        }
    }

    private func end(by signal: UnixSignal) async {
        logger.warning("Told to stop again: ending at once; what is in hand is tried again at the next start")
        await withTaskGroup { group in
            group.addTask { [library] in _ = try? await library.releaseAll() }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            // The group would wait for a Library that waits for its disk.
            Self.die(of: signal)
        }
    }

    /// As every program does that does not trap it.
    private static func die(of signal: UnixSignal) -> Never {
        _ = Glibc.signal(signal.rawValue, SIG_DFL)
        kill(getpid(), signal.rawValue)
        // The first process of a container cannot die of it.
        _exit(128 + signal.rawValue)
    }
}
