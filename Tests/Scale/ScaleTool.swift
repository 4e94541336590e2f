import ArgumentParser

/// Measures how stickerd's costs grow with the number of files and of workers. A tool for developers, never installed.
///
/// It is its own stand-in worker: the pool starts it with the argument `worker`.
@main
struct ScaleTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Measure costs against size.",
        subcommands: [Calls.self, Simulation.self, StandInWorker.self])
}
