import ArgumentParser

@main
struct Stickerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd",
        abstract: "Makes die-cut stickers of the photos dropped into a folder.",
        version: "0.1.0",
        subcommands: [Run.self, Make.self, Mask.self, Palette.self, Status.self, Remake.self, CheckConfig.self, Worker.self])
}
