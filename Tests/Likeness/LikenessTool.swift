import ArgumentParser

/// Measures recognition and look-up times of perceptual hashes. A tool for developers, never installed.
@main
struct LikenessTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "likeness", abstract: "Measure likenesses.", subcommands: [Hash.self, LookUp.self])
}
