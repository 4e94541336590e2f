import Conditions
package import DaemonSettings
import Exports
import Foundation
import Inbox
import LinuxIO
package import Logging
import Outbox
import Packs
import PhotoLibrary
import Processing
import PrometheusMetrics
import ServiceLifecycle
import StickerPipeline
package import SystemPackage
import Systemd
import UnixSignals
import Workers

/// The daemon: recovers after the last run, creates the pipeline, and runs it until a signal stops it.
package struct Daemon: Sendable {
    private let settings: Settings
    private let loadSettings: @Sendable () throws(SettingsError) -> Settings
    private let executable: FilePath
    private let logger: Logger
    private let reloads: ReloadSignals
    private let notifier = ServiceNotifier()

    /// - Parameters:
    ///   - settings: validated; their folders exist.
    ///   - reloads: trapped before the settings were loaded.
    package init(
        settings: Settings, executable: FilePath, logger: Logger, reloads: ReloadSignals,
        loadSettings: @escaping @Sendable () throws(SettingsError) -> Settings
    ) {
        self.settings = settings
        self.executable = executable
        self.reloads = reloads
        self.logger = logger
        self.loadSettings = loadSettings
    }

    /// Runs until SIGTERM or SIGINT; on a terminal also until that is closed. Finishes the photos in progress first.
    ///
    /// - Throws: `LibraryError` if the Library cannot be used, and any other error that is not a photo's.
    package func run() async throws {
        do { try await serve() } catch { throw Library.explaining(error, of: settings.state) }
    }

    private func serve() async throws {
        let stopSignals = await StopSignals(
            ReloadSignals.stopOnHangup ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint])
        let progress = StartProgress(notifier)
        // Only until the start is complete.
        let diskWaits = Task { await progress.noteDiskWaits() }
        defer { diskWaits.cancel() }
        let model = try settings.openModel()
        let (reportBell, statusBell) = (Wakeup(), Wakeup())
        let conditions = CurrentConditions(logger: logger) {
            reportBell.ring()
            statusBell.ring()
        }
        // Until the first reading ends.
        conditions.isScanning = true
        let library = try Library(in: settings.state, outbox: settings.resolvedOutbox.string) { progress.note() }
        library.fileNews.listen { reportBell.ring() }
        let status = try DaemonStatusWriter(library: library, conditions: conditions, logger: logger)
        // Also during recovery, which may wait for a disk. Cancelled when `serve` returns.
        async let _ = status.run(changes: statusBell)
        let outbox = try settings.openOutbox(library)
        try await outbox.requireOwnership()
        library.watchDisk { reason in
            if let reason { conditions.begin(.library, because: reason) } else { conditions.end(.library) }
        }
        try await library.prepare(settings, outbox, logger) { progress.note() }
        let pipeline = try settings.pipeline(
            executable: executable, model: model, library: library, outbox: outbox, conditions: conditions,
            logger: logger
        ) { reportBell.ring() }
        try await library.recordSettingsFile(settings.file)
        let inbox = try InboxWatcher(
            folder: settings.inbox, rules: settings.inboxRules, library: library, conditions: conditions, logger: logger
        ) {
            pipeline.processor.wake()
            pipeline.packs.wake()
            pipeline.originals.wake()
            reportBell.ring()
        }
        try await inbox.prepare { progress.note() }
        let reporter = Reporter(
            library: library, inbox: settings.inbox, conditions: conditions,
            progress: .suiting(.suiting(descriptor: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)),
            logger: logger, notifier: notifier)
        let recipe = settings.recipe(model)
        try await library.remember(recipe: try recipe.identifier, content: recipe.canonicalText)
        try await reporter.sayReady()
        diskWaits.cancel()
        try await run(try services(pipeline, inbox, model, reporter, reportBell), until: stopSignals, library: library)
        try library.close()
    }

    /// The services in the order of their start. They stop in reverse: first the sources of new work, then the photos
    /// in progress are finished, then their packs are written.
    private func services(
        _ pipeline: Pipeline, _ inbox: InboxWatcher, _ model: ModelFile?, _ reporter: Reporter, _ reportBell: Wakeup
    ) throws -> [any Service] {
        let history = HistoryKeeper(
            library: pipeline.library, days: settings.historyDays, clock: pipeline.conditions.clock, logger: logger)
        let (library, processor, originals) = (pipeline.library, pipeline.processor, pipeline.originals)
        return try metricsService(library, pipeline.conditions.clock) + [
            ClosureService(pipeline.workers.run) { await pipeline.workers.stop() },
            ClosureService(pipeline.exports.run) { pipeline.exports.stop() },
            // Stops after the packs: photos stay until an index lists their stickers.
            ClosureService {
                try await originals.run { processor.wake() }
            } stop: {
                originals.stop()
            },
            pipeline.packService(logger),
            try pipeline.outboxWatchService(logger),
            ClosureService {
                try await reporter.run(changes: reportBell)
            } stop: {
                reportBell.finish()
            },
            ClosureService(processor.run) { await processor.stop() },
            ClosureService(cancelling: inbox.run),
            ClosureService(cancelling: history.run),
            ClosureService {
                // Stops waiting for the Library's disk.
                try await gracefulShutdown()
                library.endPatience()
            },
            WatchdogService(
                processor: pipeline.processor, inbox: inbox, conditions: pipeline.conditions, notifier: notifier),
            ReloadService(
                settings: settings, model: model, reader: try SettingsReader(loadSettings), reloads: reloads.signals,
                pipeline: pipeline, inbox: inbox, history: history, reporter: reporter, notifier: notifier,
                logger: logger),
        ]
    }

    /// Writes the last metrics when all others have stopped.
    private func metricsService(_ library: Library, _ clock: any MonotonicClock) throws -> [any Service] {
        guard let file = settings.metricsFile else { return [] }
        let writer = try MetricsWriter(
            .ofProcess, file: file, library: library, disks: [("inbox", settings.inbox), ("outbox", settings.outbox)],
            clock: clock, logger: logger)
        return [ClosureService(writer.run) { writer.stop() }]
    }

    private func run(_ services: [any Service], until stopSignals: StopSignals, library: Library) async throws {
        var lifecycleLogger = logger
        // It logs each start and stop of a service, which users do not need.
        lifecycleLogger.logLevel = .error
        // If a service fails, the others finish their photos.
        let configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
            }, logger: lifecycleLogger)
        let group = ServiceGroup(configuration: configuration)
        // Cancelled when the group has ended.
        async let _ = stopSignals.stop(group, library: library, logger: logger)
        try await group.run()
    }
}

extension Daemon {
    /// The exit status of a process that ended on `error`: a restart does not help if the Library cannot be used with
    /// these settings.
    package static func exitStatus(for error: any Error) -> Int32 {
        if let error = error as? WorkerError, error.code == .unusableModel { return ExitStatus.configuration }
        guard let error = error as? LibraryError else { return ExitStatus.failure }
        return error.code == .otherOutbox || error.code == .newer ? ExitStatus.configuration : ExitStatus.failure
    }
}
