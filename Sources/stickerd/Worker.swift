import ArgumentParser
import LinuxIO
import StickerPipeline
import SystemPackage

/// The other end of the daemon's pipe; nothing for people.
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    /// This very binary, also after an upgrade has put another one in its place.
    static let executable: FilePath = "/proc/self/exe"

    @Flag(help: "The first message brings a model.")
    var model = false

    // Not async: a task would wake libdispatch.
    func run() throws {
        do {
            try WorkerLoop.run(socket: OwnedDescriptor(owning: 0), awaitsModel: model)
        } catch let error as Errno where error.isShortage {
            throw ExitCode(WorkerLoop.cannotStartNow)
        }
    }
}
