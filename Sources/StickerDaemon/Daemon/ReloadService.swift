import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
import Systemd
import UnixSignals

/// Reloads the settings on SIGHUP, or on SIGUSR1 if SIGHUP means that the terminal was closed. Invalid settings change
/// nothing; valid ones apply to photos claimed afterwards.
actor ReloadService: Service {
    private var settings: Settings
    /// What the workers have: another one waits for a restart.
    private let model: ModelFile?
    private let reader: SettingsReader
    private let reloads: UnixSignalsSequence
    private let pipeline: Pipeline
    private let inbox: Inbox
    private let history: HistoryKeeper
    private let reporter: Reporter
    private let notifier: ServiceNotifier
    private let logger: Logger

    init(
        settings: Settings, model: ModelFile?, reader: SettingsReader, reloads: UnixSignalsSequence,
        pipeline: Pipeline, inbox: Inbox, history: HistoryKeeper, reporter: Reporter, notifier: ServiceNotifier,
        logger: Logger
    ) {
        self.settings = settings
        self.model = model
        self.reader = reader
        self.reloads = reloads
        self.pipeline = pipeline
        self.inbox = inbox
        self.history = history
        self.reporter = reporter
        self.notifier = notifier
        self.logger = logger
    }

    func run() async throws {
        for await _ in reloads.cancelOnGracefulShutdown() {
            notifier.reloading()
            try await reload()
            // `stickerd remake`, `retry` and `verify --repair` signal after changing the queue.
            pipeline.processor.wake()
            try await pipeline.packs.recheck()
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
                "The new settings are invalid; keeping the old ones",
                metadata: [
                    "event": "\(JournalEvent.settingsRefused.rawValue)",
                    "reason": "\(error.problems.map(\.description).joined(separator: "; "))",
                ])
        }
    }

    private func apply(_ reload: SettingsReload) async {
        do {
            pipeline.library.adopt(settings.whenPhotoRemoved)
            inbox.apply(settings.inboxRules)
            try await pipeline.processor.update(settings.processing(model))
            try await pipeline.packs.update(settings.packs)
            await history.update(days: settings.history.days)
        } catch {
            return logger.error("Cannot apply the new settings", metadata: ["reason": "\(error)"])
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
