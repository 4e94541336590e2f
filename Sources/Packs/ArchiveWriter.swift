import Conditions
import FileNames
import LinuxIO
import Logging
import Outbox
import OutboxLayout
import PackLedger
import PhotoLibrary

/// Keeps the packs' ZIPs up to date. They are large, so they are written less often than everything else, and only
/// while the disk has room for a new one beside the old one.
final class ArchiveWriter {
    enum Outcome: Equatable {
        /// nil if there is to be none.
        case changed(LedgerEntry?)
        case unchanged
        /// Other ZIPs were written just now: to be tried again after this time, like all packs whose ZIP waits.
        case later(Duration)
        /// The disk has no room: to be tried again after this time.
        case withoutRoom(Duration)

        fileprivate var isLate: Bool {
            switch self {
            case .changed, .unchanged: false
            case .later, .withoutRoom: true
            }
        }
    }

    /// The next ZIP starts this many times as long after the last start as the last one took, written or not.
    private static let restFactor = 50
    /// A list of up to this many stickers is read within a millisecond or two.
    private static let shortList = 1000

    private let library: Library
    private let outbox: OutboxWriter
    private let conditions: CurrentConditions
    private let logger: Logger
    private var missingRoom = Backoff(.packArchive)
    /// When a ZIP may be written again.
    private var next: ContinuousClock.Instant

    init(library: Library, outbox: OutboxWriter, conditions: CurrentConditions, logger: Logger) {
        self.logger = logger
        self.library = library
        self.outbox = outbox
        self.conditions = conditions
        next = conditions.clock.now
    }

    /// How long no ZIP may be written; not positive if one may be.
    var wait: Duration { conditions.clock.now.duration(to: next) }

    /// Writes a pack's ZIP if it has changed.
    ///
    /// - Parameters:
    ///   - pack: without pending photos.
    ///   - settings: nil leaves the ZIP as it is.
    /// - Throws: `OutboxError` if the file system refuses, or errors of the Library.
    func write(
        ofPack pack: String, _ summary: Library.PackSummary, _ former: LedgerEntry?, settings: PackSettings?
    ) async throws -> Outcome {
        let outcome = try await update(ofPack: pack, summary, former, settings: settings)
        conditions.setArchive(ofPack: ExactName(pack), isLate: outcome.isLate)
        return outcome
    }

    private func update(
        ofPack pack: String, _ summary: Library.PackSummary, _ former: LedgerEntry?, settings: PackSettings?
    ) async throws -> Outcome {
        guard let settings else { return needsNoRoom(pack) }
        guard let limit = settings.gallery?.maxArchiveBytes else { return remove(former, pack) }
        // Reads no list of stickers that cannot fit.
        let skipped = PackArchive.skipped(summary, limit: limit)
        guard skipped < summary.stickerCount else { return remove(former, pack) }
        // A short list is read even if the ZIP must wait: if it is current, there is nothing to wait for.
        let wait = wait
        let isShort = summary.stickerCount - skipped <= Self.shortList
        guard wait <= .zero || isShort else { return .later(wait) }
        let start = conditions.clock.now
        var rests = !isShort
        // After an error, too: a ZIP may fail each time, for example because a sticker's file is missing.
        defer { if rests { next = start.advanced(by: start.duration(to: conditions.clock.now) * Self.restFactor) } }
        let archive = try PackArchive(try await library.archivedStickers(ofPack: pack, skipping: skipped), limit: limit)
        guard !archive.stickers.isEmpty else { return remove(former, pack) }
        if let former, former.stamp != nil, former.key == archive.key { return needsNoRoom(pack) }
        guard wait <= .zero else { return .later(wait) }
        guard try await hasRoom(for: archive, ofPack: pack, minFreeBytes: settings.minFreeBytes) else {
            return .withoutRoom(missingRoom.next())
        }
        rests = true
        conditions.setArchive(ofPack: ExactName(pack), isLate: true)
        switch try await outbox.publish(archive, inPack: pack, reusing: former?.stamp) {
        case .written(let stamp):
            return .changed(LedgerEntry(file: OutboxFile.archive, key: archive.key, stamp: stamp))
        case .differs(let sticker):
            let changed = try await outbox.remakeChanged([ExactName(sticker): nil], ofPack: pack).changed
            OutboxWriter.Losses(changed: changed).log(ofPack: pack, logger)
            // The ZIP follows once the sticker is remade.
            if changed > 0 { return needsNoRoom(pack) }
            // Its photo is gone, or another program changes it again and again. If the pack is about to change, the
            // next write ends it.
            conditions.begin(
                .archive(ofPack: ExactName(pack)),
                because: "\(sticker) is not as stickerd wrote it; stickerd verify --repair makes it again")
            return .unchanged
        }
    }

    private func remove(_ former: LedgerEntry?, _ pack: String) -> Outcome {
        _ = needsNoRoom(pack)
        return former == nil ? .unchanged : .changed(nil)
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
            try await outbox.requireRoom(minFreeBytes, for: archive.size)
            conditions.end(condition)
            return true
        } catch let error as ConditionError {
            conditions.begin(condition, because: error.reason)
            return false
        }
    }
}
