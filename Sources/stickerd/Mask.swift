import ArgumentParser
import StickerDaemon

struct Mask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the matte of photos, before crop and outline.",
        discussion: "An 8-bit gray PNG of the photo's full size, named after the photo; the subject is white.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; created if missing, with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.mask, output: output)
    }
}
