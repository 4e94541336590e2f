import ArgumentParser
import StickerDaemon

struct Mask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the soft matte of some photos, before crop and outline.",
        discussion: "8-bit grey PNG of the photo's full size, white where the subject is, called after the photo.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; made with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.mask, output: output)
    }
}
