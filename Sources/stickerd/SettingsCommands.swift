import ArgumentParser
import DaemonSettings
import Foundation

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check a settings file and list its errors; exit status 78 if there are any.")

    @Argument(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .files(["json"]))
    var file: FileArgument

    func run() throws {
        let settings = try Settings.load(
            arguments: SettingsOverrides(), environment: ProcessInfo.processInfo.environment, configFile: file.path)
        _ = try settings.openModel()
        Output.print("\(file): valid")
    }
}

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print a settings file with every key at its default, or the schema of settings files.")

    @Flag(help: "Print the JSON Schema, which explains every key.")
    var schema = false

    func run() throws {
        Output.write(Array((schema ? SettingsDocuments.schema() : SettingsDocuments.example()).utf8))
    }
}
