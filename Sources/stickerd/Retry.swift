import ArgumentParser
import StickerDaemon

struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try photos again that failed.",
        discussion: """
            Photos are named by their path, or by their path in the inbox. One that was moved to the folder of failed \
            photos is put back into the inbox. A running daemon begins at once; without one, the next start does it.
            """)

    @OptionGroup var folders: FolderOptions

    @Flag(help: "All photos that failed.")
    var failed = false

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument] = []

    func validate() throws {
        if failed == !files.isEmpty { throw ValidationError("Name some photos, or give --failed.") }
    }

    func run() throws {
        do {
            let settings = try folders.load()
            try StateOwner.become(for: settings)
            let outcome = try RetryRequest.send(failed ? nil : files.map(\.path), settings: settings)
            let photos = outcome.photos == 1 ? "1 photo is" : "\(outcome.photos) photos are"
            Output.print("\(photos) tried again" + (outcome.isUnderWay ? "" : " by the next start"))
            var complaints = outcome.refused
            if outcome.needsReload {
                complaints.append(DaemonWaking.refusal)
            }
            guard !complaints.isEmpty else { return }
            Output.complain(complaints.joined(separator: "\n"))
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
