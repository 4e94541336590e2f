import ArgumentParser
import StickerDaemon

struct Remake: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers again whose recipe is no longer today's.",
        discussion: """
            Photos are taken from the inbox, as far as they are still there. Each old sticker stays until the new one is \
            ready; the pack keeps its order and its names. A running daemon reads its settings again and begins at \
            once; without one, the next start does it.
            """)

    @OptionGroup var folders: FolderOptions
    @OptionGroup var network: ModelOption

    @Flag(exclusivity: .exclusive, help: "Which stickers: all of them, or those made with other settings or weights.")
    var scope = Scope.changed

    enum Scope: String, EnumerableFlag {
        case changed, all
    }

    func run() throws {
        do {
            let settings = try folders.load(model: network.model)
            try StateOwner.become(for: settings)
            let outcome = try RemakeRequest.send(all: scope == .all, settings: settings)
            let photos = outcome.files == 1 ? "1 photo is" : "\(outcome.files) photos are"
            Output.print("\(photos) made again" + (outcome.isUnderWay ? "" : " by the next start"))
            for line in outcome.unavailable { Output.print(line) }
            guard outcome.needsReload else { return }
            Output.complain(DaemonWaking.refusal)
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }
}
