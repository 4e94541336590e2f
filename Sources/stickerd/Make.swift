import ArgumentParser
import StickerDaemon

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers without a daemon.",
        discussion: "The stickers have the same names and bytes as the daemon's.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; created if missing, with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.stickers, output: output)
    }
}
