package import Logging
import StickerPipeline
package import SystemPackage

/// Photos named on the command line, worked on with all cores and without a daemon.
package struct PhotoBatch: Sendable {
    /// How it ended with one photo.
    package enum Outcome: Sendable, Equatable {
        /// Written, under these names in the output folder.
        case written([String])
        case duplicate(of: String)
        case noSubject(confidence: Double)
        case failed(reason: String)
    }

    /// What is made of each photo.
    package enum Product: Sendable {
        case stickers
        case mask
    }

    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger

    /// - Parameter executable: a stickerd binary for the workers.
    package init(settings: Settings, executable: FilePath, logger: Logger) {
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// Makes `product` of every photo and calls `report` with each outcome, as photos are finished.
    ///
    /// - Parameter output: a folder that exists.
    /// - Throws: where no photo is to blame. A photo's own trouble is an outcome.
    package func run(
        _ photos: [String], product: Product, output: FilePath,
        report: @escaping @Sendable (String, Outcome) async -> Void
    ) async throws {
        let pool = WorkerPool(
            executable: executable, count: min(settings.workerCount, max(photos.count, 1)), logger: logger)
        let desk = try BatchDesk(
            pool: pool, settings: settings.processing, product: product, output: output, photos: photos)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            await withDiscardingTaskGroup { photoGroup in
                let room = AsyncRoom(places: settings.workerCount + 1)
                for photo in photos {
                    await room.enter()
                    let prepared = await desk.prepare(photo)
                    photoGroup.addTask {
                        await report(photo, await desk.finish(prepared))
                        await room.leave()
                    }
                }
            }
            await pool.stop()
        }
    }
}
