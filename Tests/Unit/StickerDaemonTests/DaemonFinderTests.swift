import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("Finding the daemon of a command")
struct DaemonFinderTests {
    @Test("Without flags, the data of a service whose settings file names another state folder is found")
    func service() throws {
        let folder = try TemporaryFolder()
        let state = folder["elsewhere"]
        try folder.write([], to: "elsewhere/.keep")
        try PhotoLibrary(in: state, outbox: folder["outbox"].string).close()
        let settings = #"{"outbox": "\#(folder["outbox"])", "state": "\#(state)"}"#
        try folder.write(Array(settings.utf8), to: "config.json")
        let found = try DaemonFinder.find(
            arguments: SettingsOverrides(), environment: ["HOME": folder["home"].string], configFile: nil,
            serviceConfigFile: folder["config.json"])
        #expect(found.settings.state == state)
        #expect(found.notice == "Using the data in \(state); no daemon is running")
    }

    @Test("An invalid settings file of the daemon stops only commands that need it")
    func invalidSettings() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(#"{"sticker": {"sise": 1}}"#.utf8), to: "config.json")
        try folder.write([], to: "state/.keep")
        let library = try PhotoLibrary(in: folder["state"], outbox: folder["outbox"].string)
        try await library.recordSettingsFile(folder["config.json"])
        try library.close()
        let arguments = SettingsOverrides(state: folder["state"].string)
        func find(needsSettings: Bool) throws -> Settings {
            try DaemonFinder.find(
                arguments: arguments, environment: ["HOME": folder["home"].string], configFile: nil,
                needsSettings: needsSettings
            ).settings
        }
        #expect(try find(needsSettings: false).state == folder["state"])
        #expect(throws: SettingsError.self) { try find(needsSettings: true) }
    }
}
