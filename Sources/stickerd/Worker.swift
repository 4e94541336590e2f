import ArgumentParser
import LinuxIO
import StickerPipeline
import SystemPackage

/// The other end of the daemon's pipe; nothing for people.
struct Worker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    /// This very binary, also after an upgrade has put another one in its place.
    static let executable: FilePath = "/proc/self/exe"

    func run() async throws {
        try await WorkerLoop.run(socket: OwnedDescriptor(owning: 0))
    }
}
