package import DaemonSettings
import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import PhotoLibrary
package import SystemPackage

/// Finds the daemon that a command is about, so that the state folder, or nothing at all, is enough.
package enum DaemonFinder {
    /// The settings of a daemon, running or not.
    package struct Found: Sendable {
        package let settings: Settings
        /// One line that names the daemon, if nothing on the command line or in the environment did.
        package let notice: String?
    }

    /// Where data may be besides the user's own.
    package struct Elsewhere: Sendable {
        /// The service's settings file, which may be missing.
        package var serviceConfigFile: FilePath = "/etc/stickerd/config.json"
        /// The service's default state folder.
        package var serviceState: FilePath = "/var/lib/stickerd"
        /// That of `make run`.
        package var here = FilePath(FileManager.default.currentDirectoryPath).appending("state")

        package init() {}
    }

    /// Without a state folder in the flags, the environment or the settings file: the data of the running daemon, or
    /// else the first that exists, of the user's own folders, the service's, and `./state` (`make run`). The service's
    /// are those that its settings file names, or else the default ones.
    ///
    /// What flags and `configFile` leave open is as the daemon last had it: its inbox, its outbox and its settings
    /// file.
    ///
    /// - Parameters:
    ///   - arguments: from the command line.
    ///   - environment: as for `Settings.load`.
    ///   - configFile: from the command line; nil if not given.
    ///   - needsSettings: whether the daemon's settings file must be valid if the Library names it. `status` and
    ///     `explain` work without it.
    ///   - needsFolders: whether a file in the place of its inbox or outbox, which the daemon waits for, is an error.
    ///   - elsewhere: differs only in tests.
    package static func find(
        arguments: SettingsOverrides, environment: [String: String], configFile: FilePath?,
        needsSettings: Bool = true, needsFolders: Bool = true, elsewhere: Elsewhere = Elsewhere()
    ) throws(SettingsError) -> Found {
        let own = Result { () throws(SettingsError) in
            try load(arguments, environment, configFile, needsSettings)
        }
        // A settings file that cannot be used must not stop a command for another daemon.
        let usable = try? own.get()
        let isGiven = arguments.state != nil || configFile != nil || usable?.sources["state"] != nil
        let state =
            isGiven
            ? try own.get().state
            : place(
                [
                    usable?.state ?? DefaultFolders(environment: environment).state,
                    stateFolder(of: elsewhere.serviceConfigFile), elsewhere.serviceState, elsewhere.here,
                ].compactMap(\.self))
        return Found(
            settings: try settings(of: state, arguments, environment, configFile, needsSettings, needsFolders),
            notice: isGiven ? nil : notice(state))
    }

    private static func settings(
        of state: FilePath, _ arguments: SettingsOverrides, _ environment: [String: String], _ configFile: FilePath?,
        _ needsSettings: Bool, _ needsFolders: Bool
    ) throws(SettingsError) -> Settings {
        var arguments = arguments
        arguments.state = state.string
        guard let places = LibraryPlaces(of: state) else {
            return try load(arguments, environment, configFile, needsSettings)
        }
        let recorded = places.settingsFile.flatMap { file in
            if needsSettings { return isInUse(file, in: state) ? file : nil }
            return (try? load(arguments, environment, file, true)) == nil ? nil : file
        }
        let configFile = configFile ?? recorded
        let file = try load(arguments, environment, configFile, needsSettings)
        func isOpen(_ key: String) -> Bool {
            switch file.sources[key] {
            case .flag, .environment: false
            // The file may have changed since the daemon read it, unless the user names it.
            case .file: configFile == recorded
            case .builtIn, nil: true
            }
        }
        if isOpen("inbox"), let inbox = places.inbox { arguments.inbox = inbox.string }
        if isOpen("outbox"), let outbox = places.outbox { arguments.outbox = outbox.string }
        do throws(SettingsError) {
            return try load(arguments, environment, configFile, needsSettings)
        } catch {
            if needsFolders { throw error }
            return file
        }
    }

    /// A running daemon still has the settings of its file if that is missing: what an editor does while it saves.
    private static func isInUse(_ settingsFile: FilePath, in state: FilePath) -> Bool {
        OwnedDescriptor.exists(settingsFile) || (try? Library.isRunning(in: state)) == true
    }

    /// Without a valid default file, if that is not needed, as without the file.
    private static func load(
        _ arguments: SettingsOverrides, _ environment: [String: String], _ configFile: FilePath?, _ needsSettings: Bool
    ) throws(SettingsError) -> Settings {
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, environment: environment, configFile: configFile)
        } catch {
            guard configFile == nil, !needsSettings else { throw error }
            return try Settings.load(
                arguments: arguments, environment: environment, configFile: nil, hasDefaultFile: false)
        }
    }

    /// Nil if the settings file names none, or cannot be used.
    private static func stateFolder(of configFile: FilePath) -> FilePath? {
        let settings = try? Settings.load(arguments: SettingsOverrides(), environment: [:], configFile: configFile)
        return settings.flatMap { $0.sources["state"] == nil ? nil : $0.state }
    }

    /// - Parameter folders: where a Library may be, the preferred ones first; not empty.
    private static func place(_ folders: [FilePath]) -> FilePath {
        let known = folders.filter { Library.exists(in: $0) }
        return known.first { (try? Library.isRunning(in: $0)) == true } ?? known.first ?? folders[0]
    }

    private static func notice(_ state: FilePath) -> String? {
        // If this user may not look, the command says so.
        guard Library.exists(in: state), let isRunning = try? Library.isRunning(in: state) else { return nil }
        let folder = InboxPath(bytes: state.bytes)
        return isRunning
            ? "Using the running daemon with its data in \(folder)"
            : "Using the data in \(folder); no daemon is running"
    }
}
