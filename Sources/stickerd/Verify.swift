import ArgumentParser
import Foundation
import Logging
import StickerDaemon

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that inbox, Library, stickers and indexes agree; status 1 if they differ.",
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
            Output.print("\(verification.photos) photos and \(verification.stickers) stickers: all agree")
        } catch is Repair.Refused {
            Output.complain(DaemonWaking.refusal)
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
