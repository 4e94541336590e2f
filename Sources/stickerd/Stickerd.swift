import ArgumentParser

@main
struct Stickerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd",
        abstract: "Makes die-cut stickers of the photos dropped into a folder.",
        version: "0.1.0",
        subcommands: [
            Run.self, Make.self, Mask.self, Palette.self, Status.self, Remake.self, Retry.self, Explain.self,
            Verify.self, CheckConfig.self, Worker.self,
        ])

    /// A worker is started here, on the main thread: the parser would already have put it on one of libdispatch's.
    @MainActor static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == Worker._commandName {
            Worker.main(Array(arguments.dropFirst()))
        } else {
            await main(arguments)
        }
    }
}
