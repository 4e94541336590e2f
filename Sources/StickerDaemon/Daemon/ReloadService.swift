import Conditions
import DaemonSettings
import Exports
import Inbox
import LinuxIO
import Logging
import Packs
import PhotoLibrary
import Processing
import ServiceLifecycle
import StickerPipeline
import Systemd
import UnixSignals
import Workers

/// Reloads the settings on SIGHUP, or on SIGUSR1 if SIGHUP means that the terminal was closed. Invalid settings change
/// nothing; valid ones apply to photos claimed afterwards.
struct ReloadService: Service {
    /// Those of the start.
    let settings: Settings
    /// The workers' model; a new one needs a restart.
    let model: ModelFile?
    let reader: SettingsReader
    let reloads: UnixSignalsSequence
    let pipeline: Pipeline
    let inbox: InboxWatcher
    let history: HistoryKeeper
    let reporter: Reporter
    let notifier: ServiceNotifier
    let logger: Logger

    func run() async throws {
        var last = try SettingsReload(running: settings, new: settings)
        for await signal in reloads.cancelOnGracefulShutdown() {
            notifier.reloading()
            // Commands send SIGUSR1: log nothing if no setting has changed, because no user requested a reload.
            last = await reload(after: last, isAsked: signal == .sighup)
            // Commands signal after changing the Library. They need not read the whole outbox, except one.
            let mustRecheck = try await pipeline.library.takeRecheck()
            pipeline.processor.wake()
            if mustRecheck || signal == .sighup || ReloadSignals.stopOnHangup {
                pipeline.packs.recheck()
                pipeline.exports.recheck()
            } else {
                pipeline.packs.wake()
            }
            try await reporter.sayReloaded(isAsked: signal == .sighup)
        }
    }

    private func reload(after last: SettingsReload, isAsked: Bool) async -> SettingsReload {
        do throws(SettingsError) {
            let reload = try SettingsReload(running: last.settings, new: try await reader.read())
            pipeline.conditions.end(.settings)
            do { try await apply(reload.settings) } catch {
                logger.error("Cannot apply the new settings", metadata: ["reason": "\(error)"])
                // The next reload applies all of them, and names them.
                return last
            }
            if isAsked || !reload.applied.isEmpty || reload.needsRestart != last.needsRestart { log(reload) }
            return reload
        } catch {
            let reason = error.problems.map(\.description).joined(separator: "; ")
            pipeline.conditions.begin(.settings, because: reason, isLogged: false)
            logger.error(
                "\(Condition.settings.beginning)",
                metadata: ["event": "\(JournalEvent.settingsRefused.rawValue)", "reason": "\(reason)"])
            return last
        }
    }

    private func apply(_ settings: Settings) async throws {
        try await pipeline.library.adopt(settings)
        inbox.apply(settings.inboxRules)
        let processing = settings.processing(model)
        try await pipeline.processor.update(processing)
        pipeline.pictures.update(limits: processing.limits, timeout: processing.timePerPhoto)
        pipeline.packs.update(settings.packs)
        pipeline.exports.update(settings.packExports, settings.packs)
        await history.update(days: settings.historyDays)
        // Commands find the settings file in the Library; it may be new.
        try await pipeline.library.recordSettingsFile(settings.file)
    }

    private func log(_ reload: SettingsReload) {
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
actor SettingsReader: ThreadOwner {
    let thread: SerialThread
    private let load: @Sendable () throws(SettingsError) -> Settings

    init(_ load: @escaping @Sendable () throws(SettingsError) -> Settings) throws {
        thread = try SerialThread(name: "settings")
        self.load = load
    }

    func read() throws(SettingsError) -> Settings { try load() }
}
