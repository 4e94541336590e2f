import ArgumentParser
import DaemonSettings
import Foundation
import StickerDaemon
import SystemPackage

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check a settings file and list its errors; exit status 78 if there are any.")

    @Argument(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .files(["json"]))
    var file: FileArgument

    func run() throws {
        var environment = ProcessInfo.processInfo.environment
        let service = DaemonFinder.Elsewhere()
        // Folders that the service's file does not name are the service's, not those of the user who checks it.
        if Settings.absolute(file.path) == service.serviceConfigFile, environment["STATE_DIRECTORY"] == nil {
            environment["STATE_DIRECTORY"] = service.serviceState.string
        }
        let settings = try Settings.load(
            arguments: SettingsOverrides(), environment: environment, configFile: file.path)
        _ = try settings.openModel()
        Output.print("\(file): valid")
    }
}

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print a settings file with the service's defaults, or the schema of settings files.")

    @Flag(help: "Print the JSON Schema, which explains every key.")
    var schema = false

    func run() throws {
        Output.write(Array((schema ? SettingsDocuments.schema() : SettingsDocuments.example()).utf8))
    }
}
