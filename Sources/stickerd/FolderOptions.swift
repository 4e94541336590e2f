import ArgumentParser
import Foundation
import StickerDaemon

/// The flags for the settings file and the folders, the same for every command that needs them.
struct FolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: FileArgument?

    @Option(help: ArgumentHelp("The folder for incoming photos.", valueName: "folder"))
    var inbox: String?

    @Option(help: ArgumentHelp("The folder for stickers.", valueName: "folder"))
    var outbox: String?

    @Option(help: ArgumentHelp("The folder for the daemon's database.", valueName: "folder"))
    var state: String?

    func validate() throws {
        for (name, folder) in [("inbox", inbox), ("outbox", outbox), ("state", state)] {
            guard folder.map(RawArguments.isText) == false else { continue }
            throw ValidationError("--\(name) must be UTF-8.")
        }
    }

    /// - Parameter model: what `--model` says, of the commands that have it.
    func load(model: String? = nil) throws(SettingsError) -> Settings {
        try Settings.load(
            arguments: SettingsOverrides(inbox: inbox, outbox: outbox, state: state, model: model),
            environment: ProcessInfo.processInfo.environment, configFile: config?.path)
    }
}
