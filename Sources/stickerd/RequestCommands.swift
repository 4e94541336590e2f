import ArgumentParser
import StickerDaemon

struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Retry failed photos.",
        discussion: """
            Give photos by their path, or by their path in the inbox. A photo that was moved to the folder of failed \
            photos returns to the inbox. A running daemon begins at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Retry all failed photos.")
    var failed = false

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument] = []

    func validate() throws {
        if failed == !files.isEmpty { throw ValidationError("Give at least one photo, or --failed, but not both.") }
    }

    func run() throws {
        do {
            let settings = try folders.find()
            try StateOwner.become(for: settings)
            let outcome = try RetryRequest.send(failed ? nil : files.map(\.path), settings: settings)
            let photos = outcome.photos == 1 ? "1 photo" : "\(outcome.photos) photos"
            Output.print("\(photos) will be retried" + (outcome.isUnderWay ? "" : " at the next start"))
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

struct Remake: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remake stickers whose settings or weights changed.",
        discussion: """
            Photos are read from the inbox, or from the folder they were moved to; those that are gone are skipped. \
            Each old sticker stays until the new one is ready. The pack keeps its order, and its names unless settings that \
            name files changed. A running daemon reloads its settings and begins at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions
    @OptionGroup var network: ModelOption

    @Flag(exclusivity: .exclusive, help: "Remake all stickers, or only those made with other settings or weights.")
    var scope = Scope.changed

    enum Scope: String, EnumerableFlag {
        case changed, all
    }

    func run() throws {
        do {
            let settings = try folders.find(model: network.model)
            try StateOwner.become(for: settings)
            let outcome = try RemakeRequest.send(all: scope == .all, settings: settings)
            let photos = outcome.files == 1 ? "1 photo" : "\(outcome.files) photos"
            let skipped = outcome.skipped.isEmpty ? "" : " (" + outcome.skipped.joined(separator: "; ") + ")"
            Output.print(
                outcome.isUnderWay
                    ? "Remaking the stickers of \(photos)\(skipped)"
                    : "The next start remakes the stickers of \(photos)\(skipped)")
            guard outcome.needsReload else { return }
            Output.complain(DaemonWaking.refusal)
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
