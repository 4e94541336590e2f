import ArgumentParser
import DaemonSettings
import Foundation
import Logging
import StickerDaemon
import SystemPackage

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show whether the daemon is running, what it waits for, and how many photos are in each state.")

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let report = try StatusReport(state: folders.find(needsSettings: false).state)
        Output.print(json ? try report.json : report.text)
    }
}

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the history of a photo, or of a sticker's photo: its arrival, attempts and results.",
        discussion: """
            Give the photo by its path, or by its path in the inbox, or the sticker by its path or name. Times are UTC.
            """)

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The photo or sticker.", valueName: "file"), completion: .file())
    var file: FileArgument

    func run() throws {
        let settings = try folders.find(needsSettings: false)
        guard let explanation = try Explanation(of: file.path, settings: settings) else {
            let reason =
                try Explanation.reasonForgotten(file.path, settings: settings)
                ?? Explanation.reasonUnread(file.path, settings: settings)
            Output.complain(
                "\(file): "
                    + (reason ?? "unknown; give the path of a photo or sticker, or its path in inbox or outbox"))
            throw ExitCode(ExitStatus.failure)
        }
        Output.print(explanation.text)
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
        let settings = try folders.find()
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
        let photos = verification.photos == 1 ? "1 photo" : "\(verification.photos) photos"
        let stickers = verification.stickers == 1 ? "1 sticker" : "\(verification.stickers) stickers"
        let rest = verification.isDrained ? "" : "; photos are pending"
        Output.print("\(photos) and \(stickers): no differences\(rest)")
    }
}
