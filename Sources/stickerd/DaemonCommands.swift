import ArgumentParser
import DaemonSettings
import Foundation
import LinuxIO
import Logging
import StickerDaemon
import SystemPackage
import Systemd
import Workers

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch the inbox and make stickers until stopped by a signal.",
        discussion: """
            Missing folders are created. SIGHUP reloads the settings; in a terminal, which sends it when it is closed, \
            SIGUSR1 does. SIGTERM finishes the photos in progress and exits; a second one exits at once. Invalid settings \
            end the program with status 78 before any work.
            """)

    @OptionGroup var folders: FolderOptions
    @OptionGroup var network: ModelOption

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var logger = Logger.stickerd(level: .info, environment: environment)
        try? LogQueue.start { [logger] lines in
            logger.warning("Log output was blocked; lines were dropped", metadata: ["lines": "\(lines)"])
        }
        defer { LogQueue.finish() }
        let reloads = await ReloadSignals()
        for problem in Settings.unknownVariables(in: environment) {
            logger.warning("Unknown environment variable", metadata: ["reason": "\(problem)"])
        }
        do {
            let settings = try folders.load(model: network.model)
            logger.logLevel = settings.logLevel
            try settings.prepareFolders()
            let (folders, model) = (folders, network.model)
            try await Daemon(settings: settings, executable: Worker.executable, logger: logger, reloads: reloads) {
                () throws(SettingsError) in try folders.load(model: model)
            }.run()
        } catch let error as SettingsError {
            for problem in error.problems {
                logger.critical(
                    "Cannot start with these settings",
                    metadata: ["event": "\(JournalEvent.settingsRefused.rawValue)", "reason": "\(problem)"])
            }
            throw ExitCode(ExitStatus.configuration)
        } catch {
            logger.critical("Fatal error", metadata: ["event": "\(JournalEvent.fatal.rawValue)", "reason": "\(error)"])
            throw ExitCode(Daemon.exitStatus(for: error))
        }
    }
}

/// The worker process, started by the daemon; not for users.
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    /// This binary, even after an upgrade has replaced its file.
    static let executable: FilePath = "/proc/self/exe"

    @Flag(help: "The first message carries a model.")
    var model = false

    // Not async: a task would start libdispatch.
    func run() throws {
        do {
            try WorkerLoop.run(socket: OwnedDescriptor(owning: 0), awaitsModel: model)
        } catch let error as Errno where error.isShortage {
            throw ExitCode(WorkerLoop.cannotStartNow)
        }
    }
}
