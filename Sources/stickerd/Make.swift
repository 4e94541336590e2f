import ArgumentParser
import StickerDaemon

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers of some photos, without a daemon.",
        discussion: "The stickers have the names and the bytes that the daemon would give them.")

    @OptionGroup var photos: PhotoArguments

    func run() async throws {
        try await photos.run(.stickers)
    }
}
