import DaemonSettings
import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@Suite("Finding the daemon of a command")
struct DaemonFinderTests {
    private let folder = TemporaryFolder()

    /// A Library, which counts as a running daemon's until it is closed.
    private func library(_ name: String) throws -> Library {
        try folder.write([], to: "\(name)/.keep")
        return try Library(in: folder[name], outbox: folder["outbox"].string)
    }

    /// The daemon of a command without flags, without this machine's own.
    private func find() throws -> DaemonFinder.Found {
        var elsewhere = DaemonFinder.Elsewhere()
        elsewhere.serviceConfigFile = folder["config.json"]
        elsewhere.serviceState = folder["service"]
        elsewhere.here = folder["here"]
        return try DaemonFinder.find(
            arguments: SettingsOverrides(), environment: ["HOME": folder["home"].string], configFile: nil,
            elsewhere: elsewhere)
    }

    @Test("Without flags, the data of a running daemon is found, or else the first that exists, the user's own first")
    func order() throws {
        let (own, service, here) = ("home/.local/state/stickerd", "service", "here")
        #expect(try find().settings.state == folder[own] && find().notice == nil)
        for name in [here, service, own] {
            try library(name).close()
            #expect(try find().settings.state == folder[name])
            #expect(try find().notice == "Using the data in \(folder[name]); no daemon is running")
        }
        var running: [Library] = []
        for name in [here, service, own] {
            running.append(try library(name))
            #expect(try find().settings.state == folder[name])
            #expect(try find().notice == "Using the running daemon with its data in \(folder[name])")
        }
        for library in running { try library.close() }
    }

    @Test("Without flags, the data of a service whose settings file names another state folder is found")
    func service() throws {
        try library("elsewhere").close()
        let settings = #"{"outbox": "\#(folder["outbox"])", "state": "\#(folder["elsewhere"])"}"#
        try folder.write(settings, to: "config.json")
        #expect(try find().settings.state == folder["elsewhere"])
        #expect(try find().notice == "Using the data in \(folder["elsewhere"]); no daemon is running")
    }

    @Test(
        "An invalid settings file of the daemon, or else the user's own, stops only commands that need it",
        arguments: [
            ("config.json", true), ("home/.config/stickerd/config.json", true),
            ("home/.config/stickerd/config.json", false),
        ])
    func invalidSettings(file: String, isRecorded: Bool) async throws {
        try folder.write(#"{"sticker": {"sise": 1}}"#, to: file)
        let library = try library("state")
        if isRecorded { try await library.recordSettingsFile(folder[file]) }
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
