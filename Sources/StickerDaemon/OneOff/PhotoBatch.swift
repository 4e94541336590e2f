import Conditions
package import DaemonSettings
import FileNames
import LinuxIO
package import Logging
import Packs
package import PhotoColors
import SubjectModel
package import SystemPackage
import Workers

/// Processes photos given on the command line on all cores, without a daemon.
package struct PhotoBatch: Sendable {
    /// The result for one photo.
    package enum Outcome: Sendable, Equatable {
        /// Written, under these names in the output folder. `took` is the worker's time; nil if that is unknown.
        case written([String], took: Duration? = nil)
        /// Not written, because there is no output folder.
        case contents([UInt8])
        /// Same bytes as an earlier photo of the command line, whose name is given.
        case duplicate(of: String)
        /// `confidence` is 0…1, as in `PhotoFacts`.
        case noSubject(confidence: Double)
        /// A file found in a folder that is no photo.
        case ignored(reason: String)
        /// A one-line message.
        case failed(reason: String)
    }

    /// The output for each photo.
    package enum Product: Sendable, Equatable {
        case stickers
        /// Stickers with the lines to cut them along, as SVG.
        case cutFiles
        /// The matte, an 8-bit gray PNG of the photo's full upright size.
        case mask
        /// Colors as a file.
        ///
        /// - Parameters:
        ///   - ofSubject: only the subject's colors instead of the whole photo's.
        ///   - count: the maximum, in `ColorExtractor.counts`; nil for the settings' number.
        ///   - hasBlocks: whether text that is not written to a folder may have colored blocks.
        case palette(PaletteFormat, ofSubject: Bool, count: Int?, hasBlocks: Bool)
    }

    /// Open photos per worker. More than one, because results are reported in order and one photo may take long.
    private static let openPerWorker = 4

    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger
    private let model: ModelFile?

    /// - Parameter executable: a stickerd binary for the workers.
    /// - Throws: if the model cannot be read.
    package init(settings: Settings, executable: FilePath, logger: Logger) throws(SettingsError) {
        model = try settings.openModel()
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Makes `product` of every photo and calls `report` with each outcome, in the order of `photos`.
    ///
    /// - Parameters:
    ///   - output: an existing folder; nil to write nothing, in which case every photo must yield one file.
    ///   - overwrites: whether to replace files that are there with other contents; never photos of the batch.
    ///   - notice: called with lines for a person: what a model costs, and which photos are damaged but used.
    /// - Throws: an error that is not a photo's. A photo's error is an outcome.
    package func run(
        _ photos: [BatchPhoto], product: Product, output: FilePath?, overwrites: Bool = false,
        notice: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (BatchPhoto, Outcome) async -> Void
    ) async throws {
        // A kill may have left some, if the file system does not support unnamed files.
        if let output { _ = try? AtomicFile.removeLeftovers(in: output) }
        let workers = min(settings.workerCount, max(photos.count, 1))
        let pool = WorkerPool(
            executable: executable, count: workers, model: model, logger: logger
        ) { notice($0.text(workers: workers)) }
        let runner = try BatchRunner(
            pool: pool, settings: settings.processing(model), colorCount: settings.pack.colorCount, product: product,
            output: output, photos: photos, overwrites: overwrites, notice: notice)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            await withTaskGroup(of: Void.self) { photoGroup in
                var last = OneShot<Void>()
                last.set(())
                for (number, photo) in photos.enumerated() {
                    // The oldest is reported first.
                    if number >= settings.workerCount * Self.openPerWorker { _ = await photoGroup.next() }
                    let prepared = await runner.prepare(photo)
                    let before = last
                    let own = OneShot<Void>()
                    last = own
                    photoGroup.addTask {
                        let outcome = await runner.finish(prepared)
                        await before.value
                        if let outcome { await report(photo, outcome) }
                        own.set(())
                    }
                }
            }
            await pool.stop()
        }
    }
}

extension ModelFacts {
    /// One line: the model's input size and cost.
    fileprivate func text(workers: Int) -> String {
        let gigabytes = Double(cost.memory / 10_000_000) / 100
        let arithmetic =
            cost.multiplyAdds < 1_000_000_000
            ? "\(cost.multiplyAdds / 1_000_000) million" : "\(cost.multiplyAdds / 1_000_000_000) billion"
        return """
            model: input of \(width)×\(height) pixels, \(arithmetic) multiply-adds, \(gigabytes) GB of memory \
            \(workers == 1 ? "in one worker" : "in each of \(workers) workers"); raises the time \
            limit of a photo by \(extraTime.components.seconds) s
            """
    }
}

/// A photo given to a command.
package enum BatchPhoto: Sendable, CustomStringConvertible {
    case file(FilePath)
    /// A file in a folder that was given. It may be no photo.
    case found(FilePath)
    case standardInput

    /// The photo's path; a made-up name for standard input.
    var path: FilePath {
        switch self {
        case .file(let path), .found(let path): path
        case .standardInput: "stdin"
        }
    }

    /// Whether it was found in a folder.
    var isFound: Bool { if case .found = self { true } else { false } }

    /// Whether this is that file, under any of its names.
    package func isFile(_ other: FilePath) -> Bool { FileNode(of: path).map { $0 == FileNode(of: other) } == true }

    /// Escaped, on one line.
    package var description: String { name.description }

    /// The name as the daemon would log it.
    var name: InboxPath { InboxPath(bytes: path.bytes) }

    /// The base name of its output files: its name without the extension; bytes that are not UTF-8 are replaced.
    var stem: String {
        guard String(validating: path.bytes, as: UTF8.self) != nil else { return InboxPath.shown(escaped: name.stem) }
        return path.stem ?? "photo"
    }
}
