import Glibc
import Logging
import PhotoLibrary
import ServiceLifecycle
import UnixSignals

/// The signals that stop the daemon. The first one has it finish what is in hand; the second one ends it at once: what is
/// in hand goes back to the queue, and that is not counted against anybody.
struct StopSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// How long the Library may take for that. Without it, the photo that was in hand counts as one that stopped stickerd.
    private static let patience = Duration.milliseconds(500)

    /// From here on they are heard, if late: untrapped they would end the process in the middle of its start.
    init(_ signals: [UnixSignal]) async {
        self.signals = await UnixSignalsSequence(trapping: signals)
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
            logger.info("Told to stop: what is in hand is finished first")
            await services.triggerGracefulShutdown()
        }
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
        kill(getpid(), signal.rawValue)
        // The first process of a container cannot die of it.
        _exit(128 + signal.rawValue)
    }
}
