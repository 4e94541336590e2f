import ArgumentParser
import Foundation
import Glibc
import Logging
import StickerDaemon

/// The arguments that `make`, `mask` and `palette` share.
struct PhotoArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The photos; - is standard input.", valueName: "photo"), completion: .file())
    var photos: [FileArgument]

    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: FileArgument?

    @OptionGroup var network: ModelOption

    func validate() throws {
        if photos.isEmpty { throw ValidationError("Name at least one photo.") }
        if photos.count(where: \.isStandardStream) > 1 { throw ValidationError("- can be given only once.") }
    }

    /// Throws unless standard output, given as `-`, can take the result.
    func validate(output: FileArgument) throws {
        guard output.isStandardStream else { return }
        if photos.count > 1 { throw ValidationError("--output - takes one file: name one photo, or give a folder.") }
        if isatty(STDOUT_FILENO) == 1 { throw ValidationError("--output - would write an image to the terminal.") }
    }

    /// Processes all photos and exits with status 1 if any failed, with 78 if the settings are invalid.
    ///
    /// - Parameter output: the folder to write to, created with its parents; nil or `-` to print.
    func run(_ product: PhotoBatch.Product, output: FileArgument?) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings: Settings
        let batch: PhotoBatch
        do {
            settings = try Settings.load(
                arguments: SettingsOverrides(model: network.model), environment: environment, configFile: config?.path)
            batch = try PhotoBatch(
                settings: settings, executable: Worker.executable,
                logger: .stickerd(level: .warning, environment: environment))
        } catch {
            Output.complain("\(error)")
            throw ExitCode(ExitStatus.configuration)
        }
        let folder = output?.isStandardStream == true ? nil : output?.path
        if let folder, let output {
            do {
                try Settings.makeFolders(at: folder)
            } catch {
                Output.complain("\(output): cannot be created; is there a file of that name?")
                throw ExitCode(ExitStatus.failure)
            }
        }
        let printer = BatchPrinter(total: photos.count)
        let sources = photos.map { $0.isStandardStream ? BatchPhoto.standardInput : .file($0.path) }
        try await batch.run(sources, product: product, output: folder, notice: { Output.complain($0) }) {
            photo, outcome in
            await printer.report(photo, outcome)
        }
        await printer.finish()
        if await printer.failures > 0 { throw ExitCode(ExitStatus.failure) }
    }
}
