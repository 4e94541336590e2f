import ArgumentParser
import Foundation
import Logging
import StickerDaemon
import Systemd

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch the inbox and make stickers until told to stop.",
        discussion: """
            Missing folders are made. SIGHUP reads the settings again, SIGTERM finishes the photos in hand and ends; \
            a second one ends it at once. \
            Wrong settings end it with status 78 before anything is touched.
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
                "Cannot go on", metadata: ["event": "\(JournalEvent.fatal.rawValue)", "reason": "\(error)"])
            throw ExitCode(Daemon.exitStatus(for: error))
        }
    }
}
