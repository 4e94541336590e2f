import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
import Systemd
import UnixSignals

/// Reads the settings again on SIGHUP, or SIGUSR1 where SIGHUP means that the terminal is gone. Wrong ones change
/// nothing; right ones apply to the photos taken up from then on.
actor ReloadService: Service {
    private var settings: Settings
    /// What the workers have: another one waits for a restart.
    private let model: ModelFile?
    private let reader: SettingsReader
    private let reloads: UnixSignalsSequence
    private let library: PhotoLibrary
    private let inbox: Inbox
    private let processor: Processor
    private let packs: PackWriter
    private let history: HistoryKeeper
    private let reporter: Reporter
    private let notifier: ServiceNotifier
    private let logger: Logger

    init(
        settings: Settings, model: ModelFile?, reader: SettingsReader, reloads: UnixSignalsSequence,
        library: PhotoLibrary, inbox: Inbox,
        processor: Processor, packs: PackWriter, history: HistoryKeeper, reporter: Reporter,
        notifier: ServiceNotifier, logger: Logger
    ) {
        self.settings = settings
        self.model = model
        self.reader = reader
        self.reloads = reloads
        self.library = library
        self.inbox = inbox
        self.processor = processor
        self.packs = packs
        self.history = history
        self.reporter = reporter
        self.notifier = notifier
        self.logger = logger
    }

    func run() async throws {
        for await _ in reloads.cancelOnGracefulShutdown() {
            notifier.reloading()
            try await reload()
            // Also what `stickerd remake`, `retry` or `verify --repair` put into the queue or found wrong.
            processor.wake()
            try await packs.lookAgain()
            try await reporter.sayReloaded()
        }
    }

    private func reload() async throws {
        do throws(SettingsError) {
            let reload = SettingsReload(running: settings, new: try await reader.read())
            settings = reload.settings
            await apply(reload)
        } catch {
            logger.error(
                "The new settings are wrong; the old ones stay",
                metadata: [
                    "event": "\(JournalEvent.settingsRefused.rawValue)",
                    "reason": "\(error.problems.map(\.description).joined(separator: "; "))",
                ])
        }
    }

    private func apply(_ reload: SettingsReload) async {
        do {
            library.adopt(settings.whenPhotoRemoved)
            inbox.apply(settings.inboxRules)
            try await processor.update(settings.processing(model))
            try await packs.update(settings.packs)
            await history.update(days: settings.history.days)
        } catch {
            return logger.error("The new settings could not be taken over", metadata: ["reason": "\(error)"])
        }
        logger.notice(
            "Reloaded the settings",
            metadata: [
                "event": "\(JournalEvent.settingsReloaded.rawValue)",
                "applied": "\(reload.applied.joined(separator: " "))",
                "needs-restart": "\(reload.needsRestart.joined(separator: " "))",
            ])
    }
}
