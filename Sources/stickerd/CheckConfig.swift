import ArgumentParser
import Foundation
import StickerDaemon

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config", abstract: "Say what is wrong with a settings file; status 78 if anything is.")

    @Argument(help: ArgumentHelp("The settings.", valueName: "file"), completion: .file())
    var file: FileArgument

    func run() throws {
        do {
            let settings = try Settings.load(
                arguments: SettingsOverrides(), environment: ProcessInfo.processInfo.environment,
                configFile: file.path)
            _ = try settings.openModel()
            Output.print("\(file): no error found")
        } catch {
            Output.complain("\(error)")
            throw ExitCode(ExitStatus.configuration)
        }
    }
}
