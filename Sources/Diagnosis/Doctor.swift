package import DaemonSettings
import Foundation
import Glibc
import LibraryCommands
import LinuxIO
import PhotoCodecs
import PhotoLibrary
import Processing
import StickerDaemon
package import SystemPackage

/// Examines the daemon of this machine and what it depends on, without changing anything. Each check has its own facts,
/// which are gathered first, and judged without asking the system again.
package struct Doctor: Sendable {
    private let arguments: SettingsOverrides
    private let environment: [String: String]
    private let configFile: FilePath?
    private let executable: FilePath

    /// - Parameter executable: a stickerd binary for a worker.
    package init(
        arguments: SettingsOverrides, environment: [String: String], configFile: FilePath?, executable: FilePath
    ) {
        self.arguments = arguments
        self.environment = environment
        self.configFile = configFile
        self.executable = executable
    }

    /// - Parameter version: the program's and its libraries', one line each.
    package func examine(version: String) async -> DoctorReport {
        let unit = UnitFacts.ask()
        let versions = Finding.ok(
            "version", (version.split(separator: "\n") + [Self.system[...]]).joined(separator: "; "))
        let settings: Settings
        let problems: [Finding]
        do {
            (settings, problems) = try find(unit)
        } catch {
            return DoctorReport(findings: [versions] + Self.findings(of: error))
        }
        let daemon = DaemonFacts.gather(state: settings.state, unit)
        let worker = await WorkerFacts.gather(
            settings, executable: executable, daemon: daemon.process, daemon.unit)
        var memory = MemoryFacts(
            workers: settings.workerCount, photo: settings.processing.limits.maxMemory, daemon: daemon.process,
            daemon.unit)
        memory.model = worker.modelBytes
        var clock = ClockFacts(newestFile: daemon.library?.newestFile)
        clock.recorded += daemon.status.map { [("the daemon's start", $0.since)] } ?? []
        clock.recorded += daemon.library?.latest.map { [("the Library's last entry", $0)] } ?? []
        if let index = try? FileStatus(of: settings.outbox.appending("pack.json")).identity.modified {
            clock.recorded.append(("the index in the outbox", Date(timeIntervalSince1970: Double(index) / 1e9)))
        }
        let folders = FolderFacts.gather(settings, daemon.account, daemon: daemon.process, daemon.unit)
        var findings = [versions] + problems + Self.closedFiles(settings, to: daemon.account, daemon.unit)
        let paths = [("config", settings.file), ("inbox", settings.inbox), ("outbox", settings.outbox)]
        let flags = paths.compactMap { flag, path in path.map { " --\(flag) \(Ownership.shellWord($0.string))" } }
        findings += daemon.findings(state: settings.state, flags: flags.joined())
        for folder in folders {
            findings += folder.findings(settings, user: daemon.account.name, isNew: daemon.isNew)
        }
        findings += [CallerFacts.gather(inbox: settings.inbox)?.finding].compactMap(\.self)
        findings += [WatchFacts.gather(daemon: daemon.process).finding].compactMap(\.self)
        findings += worker.findings + [memory.finding] + clock.findings
        return DoctorReport(findings: daemon.unit == nil ? findings.map(\.ofOwnDaemon) : findings)
    }

    /// The settings of the daemon that the command is about, and what is wrong with its settings file, which does not
    /// stop the other checks. If the service is not running, those of its next start, which may be why it failed.
    private func find(_ unit: UnitFacts?) throws(SettingsError) -> (Settings, [Finding]) {
        let found = try DaemonFinder.find(
            arguments: arguments, environment: environment, configFile: configFile, needsSettings: false
        ).settings
        if let unit, arguments.state == nil, configFile == nil {
            let (service, problems) = try settings(of: unit)
            let isService = [service.state, DaemonFinder.Elsewhere().serviceState].contains(found.state)
            if isService || !Library.exists(in: found.state) {
                guard (try? Library.isRunning(in: service.state)) == true else { return (service, problems) }
                let running = try? DaemonFinder.find(
                    arguments: arguments, environment: unit.environment, configFile: nil, needsSettings: false)
                return (running?.settings ?? service, problems)
            }
        }
        guard configFile == nil, let file = LibraryPlaces(of: found.state)?.settingsFile, OwnedDescriptor.exists(file)
        else { return (found, []) }
        do throws(SettingsError) {
            _ = try Settings.load(arguments: SettingsOverrides(), environment: environment, configFile: file)
            return (found, [])
        } catch {
            return (found, Self.findings(of: error))
        }
    }

    /// The defaults if the settings file is invalid.
    private func settings(of unit: UnitFacts) throws(SettingsError) -> (Settings, [Finding]) {
        func load(hasDefaultFile: Bool) throws(SettingsError) -> Settings {
            try Settings.load(
                arguments: arguments, environment: unit.environment, configFile: nil, hasDefaultFile: hasDefaultFile)
        }
        do throws(SettingsError) {
            return (try load(hasDefaultFile: true), [])
        } catch {
            return (try load(hasDefaultFile: false), Self.findings(of: error, unit))
        }
    }

    /// - Parameter unit: whose settings they are; other users need not be able to read these.
    private static func findings(of error: SettingsError, _ unit: UnitFacts? = nil) -> [Finding] {
        let own = Account(user: geteuid())
        return error.problems.map { problem in
            if let unit, unit["User"] != own.name, case .file(let file, line: nil) = problem.source,
                own.access(to: file, R_OK) == .refused(.permissionDenied)
            {
                return .hidden("settings", "\(problem.description); the defaults are shown")
            }
            return .fault(
                "settings", problem.description,
                cure: "correct it, check it with stickerd check-config FILE, and run: sudo systemctl restart stickerd")
        }
    }

    /// The files that the daemon cannot read, although this user may.
    static func closedFiles(_ settings: Settings, to account: Account, _ unit: UnitFacts?) -> [Finding] {
        [settings.file, settings.model].compactMap(\.self).compactMap { file in
            if unit?.view(of: file) == .hidden {
                return .fault(
                    "settings", "\(file) is hidden from the service by its unit",
                    cure: ServiceFolders.cure("BindReadOnlyPaths", file.removingLastComponent()))
            }
            guard account.access(to: file, R_OK) == .refused(.permissionDenied) else { return nil }
            let barrier = FolderFacts.barrier(to: file, account)
            let (right, closed) = (barrier == nil ? "r" : "x", barrier ?? file)
            return .fault(
                "settings", "\(file) cannot be used: the user \(account.name) may not read it",
                cure: "run: "
                    + Account.granting(right, to: account.name, isOwner: account.owns(closed), closed))
        }
    }

    /// The distribution and the kernel.
    private static var system: String {
        func text(_ file: FilePath) -> String {
            String(decoding: (try? OwnedDescriptor(opening: file).read(upTo: 1 << 16)) ?? [], as: UTF8.self)
        }
        let name = text("/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
        let kernel = text("/proc/sys/kernel/osrelease").filter { !$0.isNewline }
        return "\(name ?? "unknown distribution"); Linux \(kernel)"
    }
}
