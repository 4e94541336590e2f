import Glibc
package import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
package import SystemPackage
import Systemd
import UnixSignals

/// The daemon: wires the floors together and runs them until it is told to stop.
package struct Daemon: Sendable {
    private let settings: Settings
    private let loadSettings: @Sendable () throws(SettingsError) -> Settings
    private let executable: FilePath
    private let logger: Logger
    private let notifier = ServiceNotifier()

    /// - Parameters:
    ///   - settings: checked, their folders made.
    ///   - loadSettings: reads them anew, for SIGHUP.
    ///   - executable: a stickerd binary for the workers.
    package init(
        settings: Settings, executable: FilePath, logger: Logger,
        loadSettings: @escaping @Sendable () throws(SettingsError) -> Settings
    ) {
        self.settings = settings
        self.executable = executable
        self.logger = logger
        self.loadSettings = loadSettings
    }

    /// Runs until SIGTERM or SIGINT, on a terminal also until that is closed. The photos in hand are finished first.
    ///
    /// - Throws: `LibraryError` where the Library cannot be used; anything else that no photo is to blame for.
    package func run() async throws {
        let library = try PhotoLibrary(in: settings.state, outbox: settings.resolvedOutbox.string)
        for path in try await library.recover() {
            logger.warning(
                "Cannot make a sticker",
                metadata: [
                    "event": "\(JournalEvent.photoFailed.rawValue)", "photo": "\(path)",
                    "state": "\(FileState.failed.rawValue)",
                    "reason": "stickerd ended \(PhotoLibrary.maxAttempts) times while this photo was in hand",
                ])
        }
        try await library.adoptIgnoreRules(settings.watch.ignore.joined(separator: "\n"))
        // A terminal that is closed sends SIGHUP, and means the end.
        let isOnTerminal = isatty(STDERR_FILENO) == 1
        // Trapped before anybody can know whom to tell: untrapped they would end the process.
        let reloads = await UnixSignalsSequence(trapping: isOnTerminal ? [.sigusr1] : [.sigusr1, .sighup])
        try await library.recordProcess(getpid())
        let reportBell = Wakeup()
        let workers = WorkerPool(executable: executable, count: settings.workerCount, logger: logger)
        let outbox = try Outbox(folder: settings.outbox, library: library)
        let packs = PackWriter(
            library: library, outbox: try Outbox(folder: settings.outbox, library: library), settings: settings.packs,
            logger: logger)
        let processor = try Processor(
            inbox: settings.inbox, library: library, outbox: outbox, workers: workers,
            workerCount: settings.workerCount, settings: settings.processing, logger: logger
        ) {
            packs.wake()
            reportBell.ring()
        }
        let inbox = try Inbox(
            folder: settings.inbox, rules: settings.inboxRules, library: library, logger: logger
        ) {
            processor.wake()
            packs.wake()
            reportBell.ring()
        }
        try await inbox.prepare()
        let reporter = Reporter(library: library, inbox: settings.inbox, logger: logger, notifier: notifier)
        try await reporter.sayReady()

        // Stopped in reverse: first nothing new comes in, then what is in hand is finished, then it is written up.
        let services: [any Service] = [
            WorkerService(pool: workers),
            PackService(writer: packs, outbox: outbox, processor: processor, logger: logger),
            ReporterService(reporter: reporter, bell: reportBell),
            ProcessorService(processor: processor),
            InboxService(inbox: inbox),
            WatchdogService(processor: processor, inbox: inbox, notifier: notifier),
            ReloadService(
                settings: settings, load: loadSettings, reloads: reloads, inbox: inbox, processor: processor,
                packs: packs, reporter: reporter, notifier: notifier, logger: logger),
        ]
        var lifecycleLogger = logger
        // It tells of every service it starts and stops, which is our own affair.
        lifecycleLogger.logLevel = .error
        // A service that fails lets the others finish: the photos in hand are not to blame.
        let configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: isOnTerminal ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint],
            logger: lifecycleLogger)
        try await ServiceGroup(configuration: configuration).run()
        try library.close()
    }
}

extension Daemon {
    /// What a process that ended on `error` should say: a Library that can never be used with these settings is not
    /// worth a restart.
    package static func exitStatus(for error: any Error) -> Int32 {
        guard let error = error as? LibraryError else { return ExitStatus.failure }
        return error.code == .otherOutbox || error.code == .newer ? ExitStatus.configuration : ExitStatus.failure
    }
}
