import ArgumentParser
import StickerDaemon

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers of some photos, without a daemon.",
        discussion: "The stickers have the names and the bytes that the daemon would give them.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; made with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.stickers, output: output)
    }
}
