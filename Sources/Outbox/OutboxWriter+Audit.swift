package import FileNames
package import LinuxIO
package import Logging
package import OutboxLayout
import PhotoLibrary
import SystemPackage

extension OutboxWriter {
    /// What others did to stickers.
    package struct Losses {
        /// Stickers that are to be made again, because they or their thumbnails are missing.
        var missing = 0
        /// Stickers that are missing, and so are their photos.
        var lost = 0
        /// Stickers that are to be made again, because others have changed their files.
        var changed = 0
        /// Stickers that may have been changed, but whose photos are being worked on: they are to be looked at again.
        var unsettled: Set<ExactName> = []

        package init(changed: Int = 0) { self.changed = changed }

        /// How many stickers are to be made again.
        package var remade: Int { missing + changed }

        /// Tells what was found, in a line for each kind of loss.
        package func log(ofPack pack: String, _ logger: Logger) {
            if missing > 0 {
                logger.notice(
                    "Stickers were deleted from the outbox and will be remade; stickerd remove takes them out for good",
                    metadata: ["pack": "\(pack)", "stickers": "\(missing)"])
            }
            if changed > 0 {
                logger.notice(
                    "Stickers were changed in the outbox and will be remade",
                    metadata: ["pack": "\(pack)", "stickers": "\(changed)"])
            }
            logLost(["pack": "\(pack)"], logger)
        }

        /// Warns of stickers that cannot be made again, with this metadata and their number; silent if there is none.
        package func logLost(_ metadata: Logger.Metadata, _ logger: Logger) {
            guard lost > 0 else { return }
            logger.warning(
                "Stickers are missing from the outbox, and their photos have left; they are remade if the photos return",
                metadata: metadata.merging(["stickers": "\(lost)"]) { $1 })
        }
    }

    /// Compares the outbox with the Library: removes temporary files, and requeues photos whose stickers or thumbnails
    /// are missing, or whose stickers others have changed, if the photos still exist.
    ///
    /// Linear in the number of stickers. Reports and skips a pack whose folder cannot be read.
    ///
    /// - Parameters:
    ///   - tidies: whether temporary files are removed; only at the start, when no other Outbox writes.
    ///   - report: called with the errors.
    /// - Throws: `OutboxError` with `isAway` if the outbox is unavailable; then nothing counts as missing.
    package func audit(tidies: Bool = true, report: (OutboxError) -> Void) async throws -> Losses {
        var all = Losses()
        for pack in try await library.packNames().map(\.text) {
            do {
                var listed: Set<ExactName> = []
                if tidies {
                    for subfolder in [nil, .palettes, .pages] as [OutboxSubfolder?] {
                        _ = try await tidiedNames(ofPack: pack, subfolder)
                    }
                    listed = try await tidiedNames(ofPack: pack, .thumbnails)
                }
                try await relistReturned(ofPack: pack)
                let losses = try await remakeLost(ofPack: pack)
                all.missing += losses.missing
                all.lost += losses.lost
                all.changed += losses.changed
                // Some file systems list a name in another Unicode normalization, but find it in either.
                let thumbnails = try await library.publishedThumbnails(ofPack: pack).subtracting(listed)
                let gone = try await missing(thumbnails, inPack: pack, .thumbnails)
                if !gone.isEmpty { all.missing += try await library.remake(thumbnails: gone, inPack: pack) }
            } catch let error as OutboxError where !error.isAway {
                report(error)
            }
        }
        return all
    }

    /// Lists stickers and thumbnails again that were missing and whose files are back, stickers as they were: without
    /// the photo, no other can be made.
    private func relistReturned(ofPack pack: String) async throws {
        let unpublished = try await library.unpublishedStickers(ofPack: pack)
        var back: [StickerRecord] = []
        for start in stride(from: 0, to: unpublished.count, by: Self.batch) {
            let batch = unpublished[start..<min(start + Self.batch, unpublished.count)]
            let away = try await damaged(Array(batch))
            back += batch.filter { !away.contains(ExactName($0.file)) }
        }
        let bare = try await library.stickersWithoutThumbnail(ofPack: pack)
        let thumbnail = { (sticker: StickerRecord) in ExactName(OutboxName.thumbnail(ofSticker: sticker.file)) }
        var thumbnails = Set((back + bare).map(thumbnail))
        thumbnails.subtract(try await missing(thumbnails, inPack: pack, .thumbnails))
        try await library.relist(back + bare.filter { thumbnails.contains(thumbnail($0)) }, thumbnails: thumbnails)
    }

    /// Has stickers remade that are missing, or whose files differ from what was published.
    ///
    /// - Parameter names: of files that may be stickers; nil for all of the pack.
    /// - Throws: as `missing`.
    func remakeLost(ofPack pack: String, among names: Set<ExactName>? = nil) async throws -> Losses {
        let published = try await library.publishedFiles(ofPack: pack, among: names)
        guard !published.isEmpty else { return Losses() }
        var (missing, others): (Set<ExactName>, [ExactName: FileStamp]) = ([], [:])
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            for (name, written) in published {
                let found = try folder.stamp(of: name.text)
                if found == nil { missing.insert(name) } else if found != written { others[name] = found }
            }
        }
        var losses = Losses()
        if !missing.isEmpty { losses.missing = try await library.remake(missing, inPack: pack) }
        losses.lost = missing.count - losses.missing
        (losses.changed, losses.unsettled) = try await remakeChanged(others, ofPack: pack)
        return losses
    }

    /// The most stickers that are read one after the other: meanwhile, none is published.
    private static let batch = 50

    /// Reads stickers, and has those remade that others have changed. Returns how many, and those that were not read,
    /// because their photos are being worked on.
    ///
    /// - Parameters:
    ///   - found: their names, with size and time if they are to be recorded for those that are intact.
    ///   - pack: of all of them.
    package func remakeChanged(
        _ found: [ExactName: FileStamp?], ofPack pack: String
    ) async throws -> (changed: Int, unsettled: Set<ExactName>) {
        var count = 0
        var unsettled = Set(found.keys)
        var rest = found.keys.sorted()[...]
        while !rest.isEmpty {
            let stickers = try await library.finishedStickers(ofPack: pack, among: Set(rest.prefix(Self.batch)))
            rest = rest.dropFirst(Self.batch)
            unsettled.subtract(stickers.map { ExactName($0.file) })
            let damaged = try await damaged(stickers)
            // Of a backup that did not keep the times, for example.
            try await library.record(
                modified: stickers.filter { !damaged.contains(ExactName($0.file)) }.compactMap { sticker in
                    (found[ExactName(sticker.file)] ?? nil).map { (sticker, $0.modified) }
                })
            let changed = damaged.subtracting(try await missing(damaged, inPack: pack))
            count += try await library.remake(changed: stickers.filter { changed.contains(ExactName($0.file)) })
        }
        return (count, unsettled)
    }

    /// The names under which a pack's folder, or one of its subfolders, has no file.
    ///
    /// - Throws: `OutboxError`, with `isAway` if the outbox is not the same as before.
    package func missing(
        _ names: Set<ExactName>, inPack pack: String, _ subfolder: OutboxSubfolder? = nil
    ) async throws -> Set<ExactName> {
        guard !names.isEmpty else { return [] }
        let prefix = subfolder.map(\.prefix) ?? ""
        return try await inFolder(ofPack: pack) { folder throws(Errno) in
            var missing: Set<ExactName> = []
            for name in names where try folder.stamp(of: prefix + name.text) == nil { missing.insert(name) }
            return missing
        }
    }
}
