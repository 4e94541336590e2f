import ArgumentParser
import StickerDaemon

struct Remake: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remake stickers whose settings or weights changed.",
        discussion: """
            Photos are read from the inbox; those that are gone are skipped. Each old sticker stays until the new one \
            is ready; the pack keeps its order and its names. A running daemon reloads its settings and begins at once; \
            otherwise the next start does.
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
            let settings = try folders.load(model: network.model)
            try StateOwner.become(for: settings)
            let outcome = try RemakeRequest.send(all: scope == .all, settings: settings)
            let photos = outcome.files == 1 ? "1 photo" : "\(outcome.files) photos"
            Output.print("\(photos) will be remade" + (outcome.isUnderWay ? "" : " by the next start"))
            for line in outcome.unavailable { Output.print(line) }
            guard outcome.needsReload else { return }
            Output.complain(DaemonWaking.refusal)
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
