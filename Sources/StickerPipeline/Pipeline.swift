package import Conditions
package import Exports
package import LinuxIO
package import Logging
package import Outbox
package import PackExports
package import Packs
package import PhotoLibrary
package import Processing
import SubjectModel
package import SystemPackage
package import Workers

/// The parts between inbox and outbox, for the daemon, `verify --repair` and tests.
///
/// Creating it starts nothing: the caller runs the parts it needs, and stops them in the order `Processor`,
/// `Originals`, `PackWriter`, `ExportKeeper`, `WorkerPool`.
package struct Pipeline: Sendable {
    package struct Settings: Sendable {
        package var inbox: FilePath
        /// Whether files and folders of this name in the inbox are left alone.
        package var isIgnored: @Sendable ([UInt8]) -> Bool = { _ in false }
        package var outbox: FilePath
        package var originals: Originals.Folders
        package var processing: ProcessorSettings
        package var packs: PackSettings
        /// A stickerd binary, run with the argument `worker`.
        package var executable: FilePath
        /// The network for the workers; nil for the embedded one.
        package var model: ModelFile?
        /// At least 1.
        package var workerCount: Int
        /// The messengers and servers that each pack is written for.
        package var exports: [any PackExport] = []

        package init(
            inbox: FilePath, outbox: FilePath, originals: Originals.Folders, processing: ProcessorSettings,
            packs: PackSettings, executable: FilePath, workerCount: Int
        ) {
            self.inbox = inbox
            self.outbox = outbox
            self.originals = originals
            self.processing = processing
            self.packs = packs
            self.executable = executable
            self.workerCount = workerCount
        }
    }

    package let library: Library
    package let conditions: CurrentConditions
    /// Publishes the stickers. `packs` has its own Outbox, so that no sticker waits for a ZIP.
    package let outbox: OutboxWriter
    package let workers: WorkerPool
    package let packs: PackWriter
    package let exports: ExportKeeper
    package let originals: Originals
    package let processor: Processor
    package let pictures: WorkerPictures

    /// - Parameters:
    ///   - reader: opens the photos; if nil, the Processor makes one.
    ///   - changes: called, from any thread, when a status line may have changed; must not block.
    /// - Throws: if no thread is available.
    package init(
        _ settings: Settings, library: Library, outbox: OutboxWriter, conditions: CurrentConditions,
        reader: (any PhotoOpening)? = nil, diskWaits: DiskWaits = .shared, logger: Logger,
        changes: @escaping @Sendable () -> Void = {}
    ) throws {
        self.library = library
        self.outbox = outbox
        self.conditions = conditions
        let workers = WorkerPool(
            executable: settings.executable, count: settings.workerCount, model: settings.model,
            conditions: conditions, logger: logger
        ) { Self.log($0, logger) }
        pictures = WorkerPictures(
            workers, limits: settings.processing.limits, timeout: settings.processing.timePerPhoto)
        let exports = try ExportKeeper(
            library: library, outbox: outbox, maker: pictures, exports: settings.exports, settings: settings.packs,
            conditions: conditions, logger: logger
        )
        let queue = Wakeup()
        let packs = PackWriter(
            library: library, outbox: try OutboxWriter(folder: settings.outbox, library: library, lock: outbox.lock),
            settings: settings.packs,
            conditions: conditions, logger: logger
        ) {
            exports.wake()
            // A sticker may have been found changed, which is to be remade.
            queue.ring()
        }
        let originals = try Originals(
            inbox: settings.inbox, folders: settings.originals, isIgnored: settings.isIgnored, library: library,
            outbox: outbox, conditions: conditions, logger: logger)
        processor = try Processor(
            inbox: settings.inbox, library: library, outbox: outbox, originals: originals, workers: workers,
            workerCount: settings.workerCount, settings: settings.processing, reader: reader, conditions: conditions,
            diskWaits: diskWaits, wakeup: queue, logger: logger
        ) {
            packs.wake()
            originals.wake()
            changes()
        }
        self.workers = workers
        self.packs = packs
        self.exports = exports
        self.originals = originals
    }

    private static func log(_ model: ModelFacts, _ logger: Logger) {
        logger.notice(
            "Using the model from the settings",
            metadata: [
                "width": "\(model.width)", "height": "\(model.height)",
                "memory-bytes": "\(model.cost.memory)", "multiply-adds": "\(model.cost.multiplyAdds)",
                "extra-seconds": "\(model.extraTime.components.seconds)",
            ])
    }
}
