import ArgumentParser
import StickerDaemon

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers of some photos, without a daemon.",
        discussion: "The stickers have the names and the bytes that the daemon would give them.")

    @OptionGroup var photos: PhotoArguments

    @Option(help: ArgumentHelp("The folder to write to; made with its parents.", valueName: "folder"))
    var output: String

    func run() async throws {
        try await photos.run(.stickers, output: output)
    }
}
