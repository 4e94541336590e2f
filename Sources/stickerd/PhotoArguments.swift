import ArgumentParser
import DaemonSettings
import FileNames
import Foundation
import Glibc
import LinuxIO
import Logging
import StickerDaemon
import SystemPackage

/// Where `make` and `mask` write.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            """
            The folder to write to; created if missing, with its parents. A name like cat.png is the file for one \
            photo. - is standard output. Default: the current folder.
            """, valueName: "folder"), completion: .file())
    var output = FileArgument(".")
}

extension FileArgument {
    private static let fileExtensions: Set = [
        "png", "webp", "json", "css", "gpl", "ase", "svg", "txt", "jpg", "jpeg", "gif", "heic", "avif", "tif", "tiff",
        "pdf", "eps", "dxf", "svgz", "bmp",
    ]

    /// Whether it names a file to write, rather than a folder.
    var isFile: Bool {
        guard !isStandardStream, !isFolder, let name = path.extension?.lowercased() else { return false }
        return Self.fileExtensions.contains(name) && !FolderTree.isFolder(path)
    }
}

/// The arguments that `make`, `mask` and `palette` share.
struct PhotoArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The photos, or folders of photos; - is standard input.", valueName: "photo"),
        completion: .photos)
    var photos: [FileArgument]

    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"), completion: .files(["json"]))
    var config: FileArgument?

    @Flag(help: "Replace files that are there with other contents.")
    var overwrite = false

    @OptionGroup var assignments: AssignmentOption
    @OptionGroup var network: ModelOption

    func validate() throws {
        if photos.isEmpty { throw ValidationError("Give at least one photo.") }
        if photos.count(where: \.isStandardStream) > 1 { throw ValidationError("- can be given only once.") }
    }

    /// Whether there may be more than one photo.
    var areSeveral: Bool { photos.count > 1 || photos.contains { FolderTree.isFolder($0.path) } }

    /// Throws unless standard output or a file, if given as `output`, can take the result.
    ///
    /// - Parameter endings: of the names that a file with the result may have.
    func validate(output: FileArgument, endings: [String]) throws {
        let hasSeveral = areSeveral
        if output.isFile, hasSeveral {
            throw ValidationError("--output \(output) is one file; give one photo, or write to a folder.")
        }
        if output.isFile, !endings.contains(where: { output.description.lowercased().hasSuffix(".\($0)") }) {
            let names = endings.map { ".\($0)" }.joined(separator: " or ")
            throw ValidationError(
                "--output \(output) would have another format than its name says; end it in \(names).")
        }
        guard output.isStandardStream else { return }
        if hasSeveral { throw ValidationError("--output - takes one file; give one photo, or write to a folder.") }
        if isatty(STDOUT_FILENO) == 1 { throw ValidationError("--output - would write an image to the terminal.") }
    }

    /// Processes all photos and exits with status 1 if any failed, with 78 if the settings are invalid.
    ///
    /// - Parameter output: the folder to write to, created with its parents, or a file; nil or `-` to print.
    func run(_ product: PhotoBatch.Product, output: FileArgument?) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try loadSettings(product, output, environment)
        let batch = try PhotoBatch(
            settings: settings, executable: Worker.executable,
            logger: .stickerd(level: .warning, environment: environment))
        let target = try target(for: output)
        let given = photos.map { $0.isStandardStream ? BatchPhoto.standardInput : .file($0.path) }
        let sources = try PhotoSearch.photos(in: given, settings: settings, output: target.folder)
        if case .file(let path) = target, sources.contains(where: { $0.isFile(path) }) {
            Output.complain("\(InboxPath(bytes: path.bytes)): is the photo itself; choose another output")
            throw ExitCode(ExitStatus.failure)
        }
        if sources.isEmpty { Output.complain("no photos: the folders are empty, or watch.ignore excludes their files") }
        let printer = BatchPrinter(
            total: sources.count, things: product.things, target: target, overwrites: overwrite,
            environment: environment)
        try await batch.run(
            sources, product: product, output: target.folder, overwrites: overwrite, notice: { Output.complain($0) }
        ) { photo, outcome in
            await printer.report(photo, outcome)
        }
        await printer.finish()
        if await printer.failures > 0 { throw ExitCode(ExitStatus.failure) }
    }

    private func loadSettings(
        _ product: PhotoBatch.Product, _ output: FileArgument?, _ environment: [String: String]
    ) throws(SettingsError) -> Settings {
        var assigned = assignments.set
        // A file named cat.webp must be one.
        if product == .stickers, let output, output.isFile, let name = output.path.extension {
            assigned.append("sticker.format=\(name)")
        }
        return try Settings.load(
            arguments: SettingsOverrides(model: network.model, assignments: assigned), environment: environment,
            configFile: config?.path)
    }

    /// Creates the folder to write to.
    private func target(for output: FileArgument?) throws -> BatchTarget {
        guard let output, !output.isStandardStream else { return .standardOutput }
        let path = Settings.absolute(output.path)
        let folder = output.isFile ? path.removingLastComponent() : path
        do {
            try Settings.makeFolders(at: folder)
        } catch {
            Output.complain("\(output): cannot be created: \(error)")
            throw ExitCode(ExitStatus.failure)
        }
        return output.isFile ? .file(path) : .folder(path)
    }
}

/// Where a batch writes; paths are absolute.
enum BatchTarget {
    case standardOutput
    case file(FilePath)
    case folder(FilePath)

    var folder: FilePath? { if case .folder(let path) = self { path } else { nil } }
}

extension PhotoBatch.Product {
    /// What is made, for sums.
    fileprivate var things: (one: String, many: String) {
        switch self {
        case .stickers: ("sticker", "stickers")
        case .cutFiles: ("cut file", "cut files")
        case .mask: ("mask", "masks")
        case .palette: ("palette", "palettes")
        }
    }
}
