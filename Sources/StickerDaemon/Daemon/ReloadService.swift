import Conditions
import DaemonSettings
import Inbox
import LinuxIO
import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
import Systemd
import UnixSignals
import Workers

/// Reloads the settings on SIGHUP, or on SIGUSR1 if SIGHUP means that the terminal was closed. Invalid settings change
/// nothing; valid ones apply to photos claimed afterwards.
actor ReloadService: Service {
    private var settings: Settings
    /// What the log has said last needs a restart.
    private var needsRestart: [String] = []
    /// The workers' model; a new one needs a restart.
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
        for await signal in reloads.cancelOnGracefulShutdown() {
            notifier.reloading()
            // Commands send SIGUSR1: log nothing if no setting has changed, because no user requested a reload.
            try await reload(isAsked: signal == .sighup)
            // `stickerd remake`, `retry` and `verify --repair` signal after changing the queue.
            pipeline.processor.wake()
            pipeline.packs.recheck()
            pipeline.exports.recheck()
            try await reporter.sayReloaded()
        }
    }

    private func reload(isAsked: Bool) async throws {
        do throws(SettingsError) {
            let reload = SettingsReload(running: settings, new: try await reader.read())
            settings = reload.settings
            pipeline.conditions.end(.settings)
            await apply(reload, isAsked: isAsked)
        } catch {
            let reason = error.problems.map(\.description).joined(separator: "; ")
            pipeline.conditions.begin(.settings, because: reason, isLogged: false)
            logger.error(
                "\(Condition.settings.beginning)",
                metadata: ["event": "\(JournalEvent.settingsRefused.rawValue)", "reason": "\(reason)"])
        }
    }

    private func apply(_ reload: SettingsReload, isAsked: Bool) async {
        do {
            try await pipeline.library.adopt(settings)
            inbox.apply(settings.inboxRules)
            try await pipeline.processor.update(settings.processing(model))
            pipeline.packs.update(settings.packs)
            pipeline.exports.update(settings.packExports, settings.packs)
            await history.update(days: settings.historyDays)
            // Commands find the settings file in the Library; it may be new.
            try await pipeline.library.recordSettingsFile(settings.file)
        } catch {
            return logger.error("Cannot apply the new settings", metadata: ["reason": "\(error)"])
        }
        guard isAsked || !reload.applied.isEmpty || reload.needsRestart != needsRestart else { return }
        needsRestart = reload.needsRestart
        logger.notice(
            "\(reload.summary)",
            metadata: [
                "event": "\(JournalEvent.settingsReloaded.rawValue)",
                "applied": "\(reload.applied.joined(separator: " "))",
                "needs-restart": "\(reload.needsRestart.joined(separator: " "))",
            ])
    }
}

/// Rereads the settings on its own thread, because that blocks on the disk.
actor SettingsReader {
    private let thread: SerialThread
    private let load: @Sendable () throws(SettingsError) -> Settings

    // The actor holds its thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(_ load: @escaping @Sendable () throws(SettingsError) -> Settings) throws {
        thread = try SerialThread(name: "settings")
        self.load = load
    }

    func read() throws(SettingsError) -> Settings { try load() }
}
