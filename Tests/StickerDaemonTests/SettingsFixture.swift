import StickerDaemon
import SystemPackage
import TestSupport

/// One load in a folder of its own: what the file, the environment and the command line say.
struct SettingsFixture {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var file: FilePath { folder["config.json"] }

    /// XDG's folders lie in the temporary folder, unless `environment` says otherwise.
    func load(
        _ json: String? = nil, environment: [String: String] = [:], arguments: SettingsOverrides = .init()
    ) throws -> Settings {
        if let json { try folder.write(Array(json.utf8), to: "config.json") }
        let home = ["HOME": folder.path.string]
        return try Settings.load(
            arguments: arguments, environment: home.merging(environment) { $1 }, configFile: json == nil ? nil : file)
    }

    /// What is said about settings that must be refused, without the folder's own name.
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
