import ArgumentParser
import Foundation
import Logging
import StickerDaemon
import Systemd

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch the inbox and make stickers until a signal stops it.",
        discussion: """
            Missing folders are created. SIGHUP reloads the settings. SIGTERM finishes the photos in progress and \
            exits; a second one exits at once. Invalid settings end the program with status 78 before any work.
            """)

    @OptionGroup var folders: FolderOptions
    @OptionGroup var network: ModelOption

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var logger = Logger.stickerd(level: .info, environment: environment)
        do {
            let settings = try folders.load(model: network.model)
            logger.logLevel = settings.log.level
            try settings.prepareFolders()
            let (folders, model) = (folders, network.model)
            try await Daemon(settings: settings, executable: Worker.executable, logger: logger) {
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
            logger.critical(
                "Fatal error", metadata: ["event": "\(JournalEvent.fatal.rawValue)", "reason": "\(error)"])
            throw ExitCode(Daemon.exitStatus(for: error))
        }
    }
}
