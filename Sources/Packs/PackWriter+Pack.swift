import Foundation
import Gallery
import LinuxIO
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import PhotoLibrary
import SystemPackage

/// What is written of a pack.
extension PackWriter {
    /// Writes what is missing or out of date of a pack.
    ///
    /// - Throws: `OutboxError` if the outbox refuses a file; the others are written. Errors of the Library.
    func write(pack: String) async throws {
        try await audit(pack)
        let folder = try await outbox.folderName(ofPack: pack)
        let summary = try await library.summary(ofPack: pack, listed: Pack.maxListed)
        let description = settings.description(ofPack: pack, folder: folder)
        let listing = try await pages.write(ofPack: pack)
        let first = settings.gallery == nil ? [] : try await firstEntries(of: listing.pages ?? [], ofPack: pack)
        var planned = Pack(description, summary, listing, first: first)
        let isListed = pack.isEmpty || summary.stickerCount + summary.pendingCount + summary.withoutStickerCount > 0
        let ledger = try await library.ledger(ofPack: pack, [.index, .archive])
        let index = try await index(&planned, ledger[.index]?.first, ofPack: pack)
        let contents = planned
        var changes = try await publisher.publish(
            [(.index, [index])], inPack: pack, syncsFolder: settings.gallery == nil)
        var archive = ledger[.archive]?.first
        let isQuick = summary.stickerBytes <= Self.maxQuickArchive
        var refusal: OutboxError?
        if isQuick {
            do {
                if let new = try await writeArchive(ofPack: pack, summary, archive) {
                    changes[.archive] = new
                    archive = new.first
                }
            } catch let error as OutboxError {
                // The pack's other files are written first.
                refusal = error
            }
        }
        let newest = try await feedEntries(summary, ofPack: pack)
        func writePage(
            with archive: LedgerEntry?, syncsFolder: Bool = true
        ) async throws -> [LedgerPart: [LedgerEntry]] {
            let files: [PlannedFile] =
                if isListed, let gallery = settings.gallery {
                    try contents.page(
                        in: folder, archive: archive,
                        isNewest: PackArchive.skipped(summary, limit: gallery.maxArchiveBytes) > 0, settings, gallery,
                        newest: newest, lines: pageLines.lines(of: contents.stickers, \.galleryJSON))
                } else { [] }
            return try await publisher.publish([(.page, files)], inPack: pack, syncsFolder: syncsFolder)
        }
        // Only those that were withdrawn before the index was made: it may list others.
        let removed = summary.withdrawn
        do {
            changes.merge(try await writePage(with: archive, syncsFolder: false)) { $1 }
            // Before files are removed that the former index lists.
            if settings.gallery != nil, !changes.isEmpty { try await outbox.sync(pack: pack) }
            try await outbox.withdraw(removed, fromPack: pack)
        } catch let error as OutboxError {
            // Otherwise, numbers would be used again if another program removed pack.json while this lasts.
            try await library.record(
                index: contents.revision, updated: contents.updated, removed: [], listed: summary.unlisted,
                ofPack: pack, with: changes)
            try await palettes.write(ofPack: pack)
            throw error
        }
        try await library.record(
            index: contents.revision, updated: contents.updated, removed: removed, listed: summary.unlisted,
            ofPack: pack, with: changes)
        logger.withdrew(removed, fromPack: pack)
        try await palettes.write(ofPack: pack)
        if !isQuick, let new = try await writeArchive(ofPack: pack, summary, archive) {
            changes = try await writePage(with: new.first)
            changes[.archive] = new
            try await library.record(changes, ofPack: pack, isWhole: true)
        }
        try await publisher.removeUnwanted(fromPack: pack)
        if let refusal { throw refusal }
    }

    /// The fewest stickers that the gallery's page of a divided pack has itself: as many as a large window shows at
    /// once, so that they are painted before any script is read.
    private static let firstStickers = 60

    /// The stickers of the first pages, as their files list them.
    func firstEntries(of pages: [PackPage], ofPack pack: String) async throws -> [PackEntry] {
        var first: [PackEntry] = []
        for page in pages where first.count < Self.firstStickers {
            // If a sticker has changed since, the gallery takes all from the script.
            guard let stickers = try await library.stickers(of: page, ofPack: pack) else { break }
            first += stickers.map { PackEntry($0) }
        }
        return first
    }

    /// The stickers of the feed; none if there is no feed.
    private func feedEntries(_ summary: Library.PackSummary, ofPack pack: String) async throws -> [PackEntry] {
        guard settings.gallery?.baseURL != nil else { return [] }
        return try await library.archivedStickers(
            ofPack: pack, skipping: max(0, summary.stickerCount - PackFeed.maxStickers)
        ).map { PackEntry($0) }
    }

    /// A pack's index. Gives the pack the number and date of the recorded one if the contents have not changed,
    /// otherwise the next ones.
    ///
    /// - Parameters:
    ///   - contents: with the recorded number and date.
    ///   - recorded: the index in the ledger. If it is not as it was written, the number on disk may be a higher one.
    func index(_ contents: inout Pack, _ recorded: LedgerEntry?, ofPack pack: String) async throws -> PlannedFile {
        let colorCount = settings.colorCount
        let members = contents.indexJSON(
            stickers: indexLines.lines(of: contents.stickers) { $0.indexJSON(colorCount: colorCount) }
        ).bytes()
        let body = Array(",\n".utf8) + members.dropFirst() + Array("\n".utf8)
        let key = try ContentDigest.sha256(of: body).hex
        if recorded?.stamp == nil || recorded?.key != key {
            let onDisk = recorded?.stamp == nil ? try await storedHead(ofPack: pack) : nil
            if let onDisk, onDisk.digest == key {
                (contents.revision, contents.updated) = (onDisk.head.revision, onDisk.head.updated)
            } else {
                contents.revision = max(onDisk?.head.revision ?? 0, contents.revision) + 1
                contents.updated = Date.now.formatted(.packTime)
            }
        }
        let head = IndexHead(revision: contents.revision, updated: contents.updated)
        return PlannedFile(OutboxFile.index, head.bytes + body, key: key)
    }

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil if stickerd wrote none.
    private func storedHead(ofPack pack: String) async throws -> (head: IndexHead, digest: String)? {
        let path = try await outbox.path(ofPack: pack).appending(OutboxFile.index)
        guard let file = try? RegularFile.open(path),
            let beginning = try? file.read(upTo: IndexHead.maxBytes),
            let (head, length) = IndexHead.parse(beginning),
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max)
        else { return nil }
        return (head, digest.hex)
    }
}
