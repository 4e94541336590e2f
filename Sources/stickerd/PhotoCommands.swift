import ArgumentParser
import Foundation
import Glibc
import Logging
import PhotoColors
import StickerDaemon

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers without a daemon.",
        discussion: "The stickers have the same names and bytes as the daemon's.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; created if missing, with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.stickers, output: output)
    }
}

struct Mask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the matte of photos, before crop and outline.",
        discussion: "An 8-bit gray PNG of the photo's full size, named after the photo; the subject is white.")

    @OptionGroup var photos: PhotoArguments

    @Option(
        help: ArgumentHelp(
            "The folder to write to; created if missing, with its parents. - is standard output.", valueName: "folder"))
    var output: FileArgument

    func validate() throws { try photos.validate(output: output) }

    func run() async throws {
        try await photos.run(.mask, output: output)
    }
}

struct Palette: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show photos' colors, or write them for other programs.",
        discussion: PaletteFormat.allCases.map { "\($0.rawValue): \($0.explanation)." }.joined(separator: " "))

    @OptionGroup var photos: PhotoArguments

    @Option(help: ArgumentHelp("Maximum number of colors, 3 to 10.", valueName: "number"))
    var colors: Int?

    @Flag(help: "Only the subject's colors.")
    var subject = false

    @Option(help: "The format: \(PaletteFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
    var format = PaletteFormat.text

    @Option(help: ArgumentHelp("Write files to this folder instead of printing.", valueName: "folder"))
    var output: FileArgument?

    func validate() throws {
        if let colors, !ColorExtractor.counts.contains(colors) {
            throw ValidationError("--colors must be a number from 3 to 10.")
        }
        guard output == nil || output?.isStandardStream == true else { return }
        if photos.photos.count > 1, !format.canBeJoined {
            throw ValidationError("More than one photo in this format requires --output with a folder.")
        }
        if format.isBinary, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("This format is binary; redirect it to a file, or give a folder with --output.")
        }
    }

    func run() async throws {
        try await photos.run(.palette(format, ofSubject: subject, count: colors), output: output)
    }
}

extension PaletteFormat: ExpressibleByArgument {}

/// The arguments that `make`, `mask` and `palette` share.
struct PhotoArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The photos; - is standard input.", valueName: "photo"), completion: .file())
    var photos: [FileArgument]

    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: FileArgument?

    @OptionGroup var network: ModelOption

    func validate() throws {
        if photos.isEmpty { throw ValidationError("Give at least one photo.") }
        if photos.count(where: \.isStandardStream) > 1 { throw ValidationError("- can be given only once.") }
    }

    /// Throws unless standard output, given as `-`, can take the result.
    func validate(output: FileArgument) throws {
        guard output.isStandardStream else { return }
        if photos.count > 1 { throw ValidationError("--output - takes one file; give one photo, or a folder.") }
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
                Output.complain("\(output): cannot be created: \(error)")
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
