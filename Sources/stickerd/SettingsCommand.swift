import ArgumentParser
import StickerDaemon

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print a settings file with every key at its default, or the schema of such files.")

    @Flag(help: "Print the JSON Schema, which explains every key.")
    var schema = false

    func run() throws {
        Output.write(Array(try (schema ? SettingsDocuments.schema() : SettingsDocuments.example()).utf8))
    }
}
