import ArgumentParser
import Glibc
import PhotoColors
import StickerDaemon

struct Palette: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show photos' colors, or write them for other programs.",
        discussion: """
            json: W3C design tokens. css: custom properties. gpl: GIMP, Inkscape, Krita. ase: Adobe Swatch Exchange. svg: \
            a color wheel with complements. text: blocks for a terminal in true color.
            """)

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
        if photos.photos.count > 1, format != .text, format != .css {
            throw ValidationError("More than one photo in this format requires --output with a folder.")
        }
        if format == .ase, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("This format is binary: redirect it to a file, or name a folder with --output.")
        }
    }

    func run() async throws {
        try await photos.run(.palette(format, ofSubject: subject, count: colors), output: output)
    }
}

extension PaletteFormat: ExpressibleByArgument {}
