import LinuxIO
import Logging
import PhotoLibrary

/// Keeps the packs' ZIPs up to date. They are large, so they are written less often than everything else, and only
/// while the disk has room for a new one beside the old one.
final class ArchiveWriter {
    enum Outcome: Equatable {
        case changed, unchanged
        /// To be tried again after this time.
        case later(Duration)
    }

    /// The next ZIP starts this many times as long after the last start as the last one took, written or not.
    private static let restFactor = 50
    /// A list of up to this many stickers is read within a millisecond or two.
    private static let shortList = 1000

    private let library: PhotoLibrary
    private let outbox: Outbox
    private let conditions: Conditions
    private let logger: Logger
    private var missingRoom = Backoff(.packArchive)
    /// The ZIPs that this process wrote.
    private var written: [ExactName: FileIdentity] = [:]
    /// When a ZIP may be written again.
    private var next: ContinuousClock.Instant

    init(library: PhotoLibrary, outbox: Outbox, conditions: Conditions, logger: Logger) {
        self.library = library
        self.outbox = outbox
        self.conditions = conditions
        self.logger = logger
        next = conditions.clock.now
    }

    /// Makes the next ZIPs copy nothing from the current ones, which other programs may have changed.
    func recheck() { written = [:] }

    /// Writes a pack's ZIP if it has changed, or removes it if the pack is to have none.
    ///
    /// - Parameters:
    ///   - pack: without pending photos.
    ///   - summary: of the pack.
    ///   - settings: nil leaves the ZIP as it is.
    /// - Throws: `OutboxError` if the file system refuses, or errors of the Library.
    func write(
        ofPack pack: String, _ summary: PhotoLibrary.PackSummary, settings: PackSettings?
    ) async throws -> Outcome {
        guard let settings else { return needsNoRoom(pack) }
        guard let limit = settings.gallery?.maxArchiveBytes else { return try await remove(pack) }
        // Reads no list of stickers that cannot fit.
        let skipped = PackArchive.skipped(summary, limit: limit)
        guard skipped < summary.stickerCount else { return try await remove(pack) }
        // A short list is read even if the ZIP must wait: if it is current, there is nothing to wait for.
        let wait = conditions.clock.now.duration(to: next)
        let isShort = summary.stickerCount - skipped <= Self.shortList
        guard wait <= .zero || isShort else { return .later(wait) }
        let start = conditions.clock.now
        var rests = !isShort
        // After an error, too: a ZIP may fail each time, for example because a sticker's file is missing.
        defer { if rests { next = start.advanced(by: start.duration(to: conditions.clock.now) * Self.restFactor) } }
        let archive = try PackArchive(
            try await library.archivedStickers(ofPack: pack, skipping: skipped), limit: limit)
        guard !archive.stickers.isEmpty else { return try await remove(pack) }
        if try await outbox.has(archive, inPack: pack) { return needsNoRoom(pack) }
        guard wait <= .zero else { return .later(wait) }
        guard try await hasRoom(for: archive, ofPack: pack, minFreeBytes: settings.minFreeBytes) else {
            return .later(missingRoom.next())
        }
        rests = true
        let name = ExactName(pack)
        if let file = try await outbox.publish(archive, inPack: pack, reusing: written[name]) { written[name] = file }
        return .changed
    }

    private func remove(_ pack: String) async throws -> Outcome {
        _ = needsNoRoom(pack)
        return try await outbox.removeArchive(ofPack: pack) ? .changed : .unchanged
    }

    /// Ends the wait for room.
    private func needsNoRoom(_ pack: String) -> Outcome {
        conditions.end(.archive(ofPack: ExactName(pack)))
        return .unchanged
    }

    /// Whether the disk has room for a new ZIP beside the current one, which stays, and stays linked, until then.
    private func hasRoom(for archive: PackArchive, ofPack pack: String, minFreeBytes: Int) async throws -> Bool {
        let condition = Condition.archive(ofPack: ExactName(pack))
        do {
            try await outbox.requireRoom(minFreeBytes + archive.size)
            conditions.end(condition)
            return true
        } catch let error as ConditionError {
            let isFirst = !conditions.has(condition)
            conditions.begin(condition, because: error.reason, isLogged: false)
            guard isFirst else { return false }
            logger.warning(
                "\(condition.beginning)", metadata: ["pack": "\(pack)", "needed-bytes": "\(archive.size)"])
            return false
        }
    }
}
