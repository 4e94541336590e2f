import Glibc
import LinuxIO
package import Logging
import PhotoLibrary
import ServiceLifecycle
import StickerPipeline
import SubjectModel
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
        // A terminal that is closed sends SIGHUP, and means the end.
        let isOnTerminal = isatty(STDERR_FILENO) == 1
        let stopSignals = await StopSignals(isOnTerminal ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint])
        let progress = StartProgress(notifier)
        let model = try settings.openModel()
        let library = try PhotoLibrary(in: settings.state, outbox: settings.resolvedOutbox.string) { progress.note() }
        let reportBell = Wakeup()
        let obstacles = Obstacles { reportBell.ring() }
        library.watchTrouble { [logger] reason in
            if let reason { obstacles.set(reason, for: Obstacles.library) } else { obstacles.clear(Obstacles.library) }
            logger.log(
                level: reason == nil ? .notice : .error,
                "\(reason.map { _ in "The Library waits for the disk" } ?? "The Library can be used again")",
                metadata: reason.map { ["reason": "\($0)"] })
        }
        let outbox = try Outbox(folder: settings.outbox, library: library)
        if let aside = library.setAside {
            logger.error(
                "The Library was damaged; a new one is made from the outbox", metadata: ["damaged": "\(aside)"])
        }
        if try await library.needsRebuilding() {
            let stickers = try await outbox.rebuild { progress.note() }
            logger.notice("The Library is rebuilt", metadata: ["stickers": "\(stickers)"])
        }
        for path in try await library.recover(originals: settings.originals.mode) {
            logger.warning(
                "Cannot make a sticker",
                metadata: [
                    "event": "\(JournalEvent.photoFailed.rawValue)", "photo": "\(path)",
                    "state": "\(FileState.failed.rawValue)",
                    "reason": "\(PhotoLibrary.deathReason)",
                ])
        }
        library.adopt(settings.whenPhotoRemoved)
        try await library.adoptIgnoreRules(settings.watch.ignore.joined(separator: "\n")) { progress.note() }
        // Trapped before anybody can know whom to tell: untrapped they would end the process.
        let reloads = await UnixSignalsSequence(trapping: isOnTerminal ? [.sigusr1] : [.sigusr1, .sighup])
        try await library.recordProcess(ProcessIdentity.current())
        let workers = WorkerPool(
            executable: executable, count: settings.workerCount, model: model, obstacles: obstacles,
            logger: logger
        ) { [logger] in Self.tell(of: $0, logger) }
        let packs = PackWriter(
            library: library, outbox: try Outbox(folder: settings.outbox, library: library), settings: settings.packs,
            logger: logger)
        let originals = try Originals(
            inbox: settings.inbox, folders: settings.originalsFolders, library: library, outbox: outbox,
            obstacles: obstacles, logger: logger)
        let history = HistoryKeeper(library: library, days: settings.history.days, logger: logger)
        let processor = try Processor(
            inbox: settings.inbox, library: library, outbox: outbox, workers: workers,
            workerCount: settings.workerCount, settings: settings.processing(model), obstacles: obstacles,
            logger: logger
        ) {
            packs.wake()
            originals.wake()
            reportBell.ring()
        }
        let inbox = try Inbox(
            folder: settings.inbox, rules: settings.inboxRules, library: library, obstacles: obstacles, logger: logger
        ) {
            processor.wake()
            packs.wake()
            originals.wake()
            reportBell.ring()
        }
        try await inbox.prepare { progress.note() }
        let reporter = Reporter(
            library: library, inbox: settings.inbox, obstacles: obstacles, logger: logger, notifier: notifier)
        try await reporter.sayReady()

        // Stopped in reverse: first nothing new comes in, then what is in hand is finished, then it is written up.
        let services: [any Service] = [
            WorkerService(pool: workers),
            PackService(writer: packs, outbox: outbox, processor: processor, logger: logger),
            OriginalsService(originals: originals, processor: processor),
            ReporterService(reporter: reporter, bell: reportBell),
            ProcessorService(processor: processor),
            InboxService(inbox: inbox),
            HistoryService(history: history),
            LibraryService(library: library),
            WatchdogService(processor: processor, inbox: inbox, obstacles: obstacles, notifier: notifier),
            ReloadService(
                settings: settings, model: model, reader: try SettingsReader(loadSettings), reloads: reloads,
                library: library,
                inbox: inbox, processor: processor, packs: packs, history: history, reporter: reporter,
                notifier: notifier, logger: logger
            ),
        ]
        var lifecycleLogger = logger
        // It tells of every service it starts and stops, which is our own affair.
        lifecycleLogger.logLevel = .error
        // A service that fails lets the others finish: the photos in hand are not to blame.
        let configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
            }, logger: lifecycleLogger)
        let group = ServiceGroup(configuration: configuration)
        // Cancelled when the group has ended.
        async let _ = stopSignals.stop(group, library: library, logger: logger)
        try await group.run()
        try library.close()
    }
}

extension Daemon {
    private static func tell(of model: ModelFacts, _ logger: Logger) {
        logger.notice(
            "Finds subjects with the model of the settings",
            metadata: [
                "width": "\(model.width)", "height": "\(model.height)",
                "memory-bytes": "\(model.cost.memory)", "multiply-adds": "\(model.cost.multiplyAdds)",
                "extra-seconds": "\(model.extraTime.components.seconds)",
            ])
    }

    /// What a process that ended on `error` should say: a Library that can never be used with these settings is not
    /// worth a restart.
    package static func exitStatus(for error: any Error) -> Int32 {
        if let error = error as? WorkerError, error.code == .unusableModel { return ExitStatus.configuration }
        guard let error = error as? LibraryError else { return ExitStatus.failure }
        return error.code == .otherOutbox || error.code == .newer ? ExitStatus.configuration : ExitStatus.failure
    }
}
