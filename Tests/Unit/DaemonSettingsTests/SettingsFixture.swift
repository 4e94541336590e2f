import DaemonSettings
import SystemPackage
import TestSupport

/// One load of the settings from a file, an environment and a command line, in its own folder.
struct SettingsFixture {
    let folder = TemporaryFolder()

    var file: FilePath { folder["config.json"] }

    /// XDG's folders are in the temporary folder, unless `environment` sets them.
    func load(
        _ json: String? = nil, environment: [String: String] = [:], arguments: SettingsOverrides = .init()
    ) throws -> Settings {
        if let json { try folder.write(json, to: "config.json") }
        let home = ["HOME": folder.path.string]
        return try Settings.load(
            arguments: arguments, environment: home.merging(environment) { $1 }, configFile: json == nil ? nil : file)
    }

    /// The error of invalid settings, without the folder's path.
    func refusal(
        _ json: String? = nil, environment: [String: String] = [:], arguments: SettingsOverrides = .init()
    ) throws -> String {
        do {
            _ = try load(json, environment: environment, arguments: arguments)
            return "accepted"
        } catch let error as SettingsError {
            return relative(error.description)
        }
    }

    func relative(_ text: String) -> String { text.replacing(folder.path.string + "/", with: "") }
}
