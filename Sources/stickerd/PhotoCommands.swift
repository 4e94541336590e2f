import ArgumentParser
import Foundation
import Glibc
import PhotoColors
import StickerDaemon
import SystemPackage
import Systemd

struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make stickers without a daemon.",
        discussion: "The stickers have the same names and bytes as the daemon's.")

    @OptionGroup var photos: PhotoArguments

    @OptionGroup var destination: OutputOption

    @Flag(
        help: """
            Write SVG files for a cutting plotter: the sticker without its shadow, and the line to cut it along, named \
            CutContour. So does an output like cat.svg.
            """)
    var cut = false

    private var isCut: Bool {
        cut || destination.output.isFile && destination.output.path.extension?.lowercased() == "svg"
    }

    func validate() throws {
        try photos.validate(output: destination.output, endings: isCut ? ["svg"] : ["png", "webp", "svg"])
    }

    func run() async throws { try await photos.run(isCut ? .cutFiles : .stickers, output: destination.output) }
}

struct Mask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the matte of photos, before crop and outline.",
        discussion: "An 8-bit gray PNG of the photo's full size, named after the photo; the subject is white.")

    @OptionGroup var photos: PhotoArguments

    @OptionGroup var destination: OutputOption

    func validate() throws { try photos.validate(output: destination.output, endings: ["png"]) }

    func run() async throws { try await photos.run(.mask, output: destination.output) }
}

struct Palette: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show photos' colors, or write them for other programs.",
        discussion: PaletteFormat.allCases.map { "\($0.rawValue): \($0.explanation)." }.joined(separator: " "))

    @OptionGroup var photos: PhotoArguments

    @Option(help: ArgumentHelp("Maximum number of colors (3–10).", valueName: "number"))
    var colors: Int?

    @Flag(help: "Only the subject's colors.")
    var subject = false

    @Option(
        help: ArgumentHelp(
            """
            The format: \(PaletteFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: what the name of \
            the file says, otherwise text.
            """, valueName: "format"))
    var format: PaletteFormat?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write files to this folder, or one to this file, instead of printing.", valueName: "folder"),
        completion: .file())
    var output: FileArgument?

    func validate() throws {
        if let colors, !ColorExtractor.counts.contains(colors) {
            throw ValidationError("--colors must be a number from 3 to 10.")
        }
        let format = chosenFormat
        if let output, !output.isStandardStream {
            return output.isFile ? try photos.validate(output: output, endings: [format.fileEnding]) : ()
        }
        if photos.areSeveral, !format.canBeJoined {
            throw ValidationError("More than one photo in this format requires --output with a folder.")
        }
        if format.isBinary, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("This format is binary; redirect it to a file, or give a folder with --output.")
        }
    }

    private var chosenFormat: PaletteFormat {
        let named = output.flatMap { $0.isFile ? $0.path.extension?.lowercased() : nil }
        return format ?? PaletteFormat.allCases.first { $0.fileEnding == named } ?? .text
    }

    func run() async throws {
        let hasBlocks = TerminalColor.isWanted(on: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)
        try await photos.run(
            .palette(chosenFormat, ofSubject: subject, count: colors, hasBlocks: hasBlocks), output: output)
    }
}

extension PaletteFormat: ExpressibleByArgument {
    /// What a file's name ends in after its last dot.
    fileprivate var fileEnding: String { String(fileExtension.split(separator: ".").last ?? "") }
}
