import ArgumentParser
import Foundation
import Logging
import StickerDaemon
import SystemPackage

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show whether the daemon is running, what it waits for, and how many photos are in each state.")

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

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a photo's history: its arrival, attempts and results.",
        discussion: "Give the photo by its path, or by its path in the inbox. Times are UTC.")

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The photo.", valueName: "file"), completion: .file())
    var file: FileArgument

    func run() throws {
        do {
            guard let explanation = try Explanation(of: file.path, settings: folders.load()) else {
                Output.complain("\(file): unknown photo; give its path, or its path in the inbox")
                throw ExitCode(ExitStatus.failure)
            }
            Output.print(explanation.text)
        } catch {
            throw complaint(about: error)
        }
    }
}

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that inbox, Library, stickers and indexes agree; exit status 1 if they differ.",
        discussion: "Reads every sticker. Safe while the daemon runs.")

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Remake derived files: stickers whose photo still exists, and all files that describe them.")
    var repair = false

    func run() async throws {
        do {
            let settings = try folders.load()
            if repair { try StateOwner.become(for: settings) }
            var verification = try await Verification.run(settings)
            if repair, !verification.problems.isEmpty {
                let logger = Logger.stickerd(level: .warning, environment: ProcessInfo.processInfo.environment)
                let found = verification.problems
                verification = try await Repair(settings: settings, executable: Worker.executable, logger: logger)
                    .run(verification)
                let left = Set(verification.problems.map(\.text))
                for problem in found where !left.contains(problem.text) { Output.print("repaired: \(problem.text)") }
            }
            for problem in verification.problems { Output.print(problem.text) }
            guard verification.problems.isEmpty else { throw ExitCode(ExitStatus.failure) }
            Output.print("\(verification.photos) photos and \(verification.stickers) stickers: no differences")
        } catch is Repair.Refused {
            Output.complain(DaemonWaking.refusal)
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
