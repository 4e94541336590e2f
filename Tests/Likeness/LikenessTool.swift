import ArgumentParser

/// Measures likenesses: how well they recognise, and how fast they are found. A tool for developers, never installed.
@main
struct LikenessTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "likeness", abstract: "Measure likenesses.", subcommands: [Hash.self, LookUp.self])
}
