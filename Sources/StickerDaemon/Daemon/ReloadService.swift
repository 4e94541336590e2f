import Conditions
import LinuxIO
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
            pipeline.library.adopt(settings.whenPhotoRemoved)
            try await pipeline.library.adopt(keepStem: settings.sticker.keepStem)
            try await pipeline.library.adopt(originals: settings.originals.mode)
            inbox.apply(settings.inboxRules)
            try await pipeline.processor.update(settings.processing(model))
            pipeline.packs.update(settings.packs)
            pipeline.exports.update(settings.packExports, settings.packs)
            await history.update(days: settings.history.days)
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

/// The result of a reload in a running daemon.
package struct SettingsReload: Sendable, Equatable {
    /// The running settings with all changes that a reload can apply.
    package let settings: Settings
    /// Keys with an applied change.
    package let applied: [String]
    /// Keys whose change requires a restart; `settings` keeps their running values.
    package let needsRestart: [String]

    /// One line for a person.
    package var summary: String {
        let changes = applied.isEmpty ? "" : ": " + applied.joined(separator: ", ")
        let restart = needsRestart.isEmpty ? "" : "; restart stickerd to apply " + needsRestart.joined(separator: ", ")
        return "Settings reloaded" + (changes + restart == "" ? "; nothing changed" : changes + restart)
    }

    /// Compares reread settings with `running`: `settings` of the last reload, or those of the start.
    package init(running: Settings, new: Settings) {
        let changed = SettingKey.all.filter { !$0.isSame(running, new) }
        var settings = running
        for key in changed where key.reloads {
            key.copy(new, &settings)
            settings.sources[key.name] = new.sources[key.name]
        }
        settings.file = new.file
        self.settings = settings
        applied = changed.filter(\.reloads).map(\.name)
        needsRestart = changed.filter { !$0.reloads }.map(\.name)
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
