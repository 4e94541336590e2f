import ArgumentParser
import Foundation
import StickerDaemon
import SystemPackage

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count photos by state, whether or not the daemon is running.")

    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: FileArgument?

    @Option(help: ArgumentHelp("The daemon's state folder; by default the one in the settings.", valueName: "folder"))
    var state: FileArgument?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        do {
            let report = try StatusReport(state: state?.path ?? configuredState())
            Output.print(json ? try report.json : report.text)
        } catch {
            throw complaint(about: error)
        }
    }

    private func configuredState() throws(SettingsError) -> FilePath {
        try Settings.load(
            arguments: SettingsOverrides(), environment: ProcessInfo.processInfo.environment,
            configFile: config?.path
        ).state
    }
}
