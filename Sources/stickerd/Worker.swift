import ArgumentParser
import LinuxIO
import StickerPipeline
import SystemPackage

/// The worker process, started by the daemon; not for users.
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    /// This binary, even after an upgrade has replaced its file.
    static let executable: FilePath = "/proc/self/exe"

    @Flag(help: "The first message brings a model.")
    var model = false

    // Not async: a task would start libdispatch.
    func run() throws {
        do {
            try WorkerLoop.run(socket: OwnedDescriptor(owning: 0), awaitsModel: model)
        } catch let error as Errno where error.isShortage {
            throw ExitCode(WorkerLoop.cannotStartNow)
        }
    }
}
