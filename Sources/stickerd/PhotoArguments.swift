import ArgumentParser
import Foundation
import Logging
import StickerDaemon
import SystemPackage

/// Photos in: what `make`, `mask` and `palette` have in common.
struct PhotoArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The photos.", valueName: "photo"), completion: .file())
    var photos: [String]

    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: String?

    func validate() throws {
        if photos.isEmpty { throw ValidationError("Name at least one photo.") }
    }

    /// Works on all photos and exits with status 1 where any failed, with 78 where the settings are wrong.
    ///
    /// - Parameter output: the folder to write to, made with its parents; nil to print.
    func run(_ product: PhotoBatch.Product, output: String?) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings: Settings
        do {
            settings = try Settings.load(
                arguments: SettingsOverrides(), environment: environment, configFile: config.map { FilePath($0) })
        } catch {
            Output.complain("\(error)")
            throw ExitCode(ExitStatus.configuration)
        }
        if let output {
            do {
                try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            } catch {
                Output.complain("\(output): cannot be made; is a file in the way?")
                throw ExitCode(ExitStatus.failure)
            }
        }
        let batch = PhotoBatch(
            settings: settings, executable: Worker.executable,
            logger: .stickerd(level: .warning, environment: environment))
        let printer = BatchPrinter(total: photos.count)
        try await batch.run(photos, product: product, output: output.map { FilePath($0) }) { photo, outcome in
            await printer.report(photo, outcome)
        }
        await printer.finish()
        if await printer.failures > 0 { throw ExitCode(ExitStatus.failure) }
    }
}
