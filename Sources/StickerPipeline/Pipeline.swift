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
/// `PackWriter`, `Originals`, `ExportKeeper`, `WorkerPool`.
package struct Pipeline: Sendable {
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
    ///   - isIgnored: whether files and folders of this name in the inbox are left alone.
    ///   - exports: the messengers and servers that each pack is written for.
    ///   - executable: a stickerd binary, run with the argument `worker`.
    ///   - model: the network for the workers; nil for the embedded one.
    ///   - workerCount: at least 1.
    ///   - reader: opens the photos; if nil, the Processor makes one.
    ///   - changes: called, from any thread, when a status line may have changed; must not block.
    /// - Throws: if no thread is available.
    package init(
        inbox: FilePath, isIgnored: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
        originals folders: Originals.Folders, processing: ProcessorSettings, packs packSettings: PackSettings,
        exports wanted: [any PackExport] = [], executable: FilePath, model: ModelFile? = nil, workerCount: Int,
        library: Library, outbox: OutboxWriter, conditions: CurrentConditions, reader: (any PhotoOpening)? = nil,
        diskWaits: DiskWaits = .shared, logger: Logger, changes: @escaping @Sendable () -> Void = {}
    ) throws {
        self.library = library
        self.outbox = outbox
        self.conditions = conditions
        let workers = WorkerPool(
            executable: executable, count: workerCount, model: model, conditions: conditions, logger: logger
        ) { Self.log($0, logger) }
        pictures = WorkerPictures(workers, limits: processing.limits, timeout: processing.timePerPhoto)
        let exports = try ExportKeeper(
            library: library, outbox: outbox, maker: pictures, exports: wanted, settings: packSettings,
            conditions: conditions, logger: logger)
        let queue = Wakeup()
        let originals = try Originals(
            inbox: inbox, folders: folders, isIgnored: isIgnored, library: library, outbox: outbox,
            conditions: conditions, logger: logger)
        let packs = PackWriter(
            library: library, outbox: try OutboxWriter(folder: outbox.folder, library: library, lock: outbox.lock),
            settings: packSettings, conditions: conditions, logger: logger
        ) {
            exports.wake()
            // A sticker may have been found changed, which is to be remade.
            queue.ring()
            // Photos stay until an index lists their stickers.
            originals.wake()
        }
        processor = try Processor(
            inbox: inbox, library: library, outbox: outbox, originals: originals, workers: workers,
            workerCount: workerCount, settings: processing, reader: reader, conditions: conditions,
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
