package import Logging
package import PhotoColors
import StickerPipeline
package import SystemPackage

/// Processes photos given on the command line on all cores, without a daemon.
package struct PhotoBatch: Sendable {
    /// The result for one photo.
    package enum Outcome: Sendable, Equatable {
        /// Written, under these names in the output folder.
        case written([String])
        /// Not written, because there is no output folder.
        case contents([UInt8])
        /// A duplicate of an earlier photo of the command line; its name as given.
        case duplicate(of: String)
        /// `confidence` is 0…1, as in `ProcessedPhoto`.
        case noSubject(confidence: Double)
        /// A one-line message.
        case failed(reason: String)
    }

    /// The output for each photo.
    package enum Product: Sendable, Equatable {
        case stickers
        /// The matte, an 8-bit gray PNG of the photo's full upright size.
        case mask
        /// Colors as a file.
        ///
        /// - Parameters:
        ///   - ofSubject: only the subject's colors instead of the whole photo's.
        ///   - count: the maximum, in `ColorExtractor.counts`; nil for the settings' number.
        case palette(PaletteFormat, ofSubject: Bool, count: Int?)
    }

    /// Open photos per worker. More than one, because results are reported in order and one photo may take long.
    private static let openPerWorker = 4

    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger

    /// - Parameter executable: a stickerd binary for the workers.
    package init(settings: Settings, executable: FilePath, logger: Logger) {
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Makes `product` of every photo and calls `report` with each outcome, in the order of `photos`.
    ///
    /// - Parameter output: an existing folder; nil to write nothing, in which case every photo must yield one file.
    /// - Throws: an error that is not a photo's. A photo's error is an outcome.
    package func run(
        _ photos: [BatchPhoto], product: Product, output: FilePath?,
        report: @escaping @Sendable (BatchPhoto, Outcome) async -> Void
    ) async throws {
        let pool = WorkerPool(
            executable: executable, count: min(settings.workerCount, max(photos.count, 1)), logger: logger)
        let desk = try BatchDesk(
            pool: pool, settings: settings.processing, colorCount: settings.colors.count, product: product,
            output: output, photos: photos)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            await withDiscardingTaskGroup { photoGroup in
                let room = AsyncRoom(places: settings.workerCount * Self.openPerWorker)
                var last = OneShot<Void>()
                last.set(())
                for photo in photos {
                    await room.enter()
                    let prepared = await desk.prepare(photo)
                    let before = last
                    let own = OneShot<Void>()
                    last = own
                    photoGroup.addTask {
                        let outcome = await desk.finish(prepared)
                        await before.value
                        await report(photo, outcome)
                        own.set(())
                        await room.leave()
                    }
                }
            }
            await pool.stop()
        }
    }
}
