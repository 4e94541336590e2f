import Conditions
import FileNames
import FoundationEssentials
import LinuxIO
import Logging
import Outbox
import OutboxLayout
import PhotoFacts
import PhotoLibrary
import PhotoRule
import StickerStudio
import SystemPackage
import Systemd
import Workers

/// Publishes the stickers of one photo, unless it is a near-duplicate to be skipped.
extension Processor {
    /// Finishes a photo, unless it is a near-duplicate to be skipped.
    ///
    /// To skip near-duplicates, the photos of a pack are looked up one after the other: those of a burst, processed at
    /// the same time, would miss each other. To report them, no photo has to wait.
    func finishUnlessNearDuplicate(
        _ result: Ending.Result, _ claim: Claim, _ settings: ProcessorSettings, finish: () async throws -> Void
    ) async throws {
        guard let likeness = result.facts.likeness else { return try await finish() }
        guard settings.nearDuplicates == .skip else {
            try await finish()
            guard let like = try await library.like(ofPhoto: result.photo, inPack: claim.pack) else { return }
            return log(.nearDuplicate, "Near-duplicate of an earlier photo; made a sticker", claim, ["like": "\(like)"])
        }
        let turn = nearDuplicateQueue.join(claim.pack)
        await turn.wait()
        defer { nearDuplicateQueue.finish(turn) }
        guard let like = try await library.firstNearDuplicate(of: likeness, ofPhoto: result.photo, inPack: claim.pack)
        else {
            return try await finish()
        }
        try await library.finish(claim, as: .nearDuplicate(of: like), originals: settings.originals)
        log(
            .nearDuplicate, "Near-duplicate of an earlier photo; no sticker", claim,
            ["like": "\(like)", "state": "\(FileState.duplicate.rawValue)"])
    }

    /// Publishes the stickers that no user has removed. Returns them, and the numbers of those that were skipped.
    func publish(
        _ made: [ProcessedPhoto.Sticker], for claim: Claim, photo: String, settings: ProcessorSettings
    ) async throws -> (stickers: [StickerRecord], skipped: Set<Int>) {
        try await outbox.requireRoom(settings.minFreeBytes)
        let recipe = try settings.recipe.identifier
        var (stickers, skipped): ([StickerRecord], Set<Int>) = ([], [])
        for (ordinal, sticker) in made.enumerated() {
            let candidates = OutboxName.stickers(
                stem: settings.keepStem ? claim.path.stem : nil, photo: photo, ordinal: ordinal,
                fileExtension: settings.recipe.format.fileExtension)
            let name = try await outbox.reserveName(
                forPhoto: photo, ordinal: ordinal, recipe: recipe, candidates: candidates, claim: claim)
            guard let name else {
                skipped.insert(ordinal)
                continue
            }
            let (thumbnail, modified) = try await publish(sticker.data, sticker.thumbnail, as: name, inPack: claim.pack)
            stickers.append(
                StickerRecord(
                    sticker.facts, pack: claim.pack, photo: photo, ordinal: ordinal, file: name, thumbnail: thumbnail,
                    stem: settings.keepStem ? claim.path.stem : nil, bytes: sticker.data.count,
                    sha256: try ContentDigest.sha256(of: sticker.data).hex, modified: modified, recipe: recipe))
        }
        return (stickers, skipped)
    }

    /// Copies the photo's stickers from another pack. Returns false if a file there is damaged or gone.
    func copy(
        _ stickers: [StickerRecord], for claim: Claim, photo: OpenPhoto, settings: ProcessorSettings
    ) async throws -> Bool {
        try await outbox.requireRoom(settings.minFreeBytes)
        var (copies, skipped): ([StickerRecord], Set<Int>) = ([], [])
        for sticker in stickers {
            guard let data = try await outbox.read(sticker),
                let thumbnail = try await outbox.readThumbnail(of: sticker)
            else { return false }
            let candidates = OutboxName.stickers(
                stem: settings.keepStem ? claim.path.stem : nil, photo: photo.sha256, ordinal: sticker.ordinal,
                fileExtension: String(sticker.file.split(separator: ".").last ?? ""))
            let name = try await outbox.reserveName(
                forPhoto: photo.sha256, ordinal: sticker.ordinal, recipe: sticker.recipe, candidates: candidates,
                claim: claim)
            guard let name else {
                skipped.insert(sticker.ordinal)
                continue
            }
            let (small, modified) = try await publish(data, thumbnail, as: name, inPack: claim.pack)
            copies.append(
                sticker.copied(
                    toPack: claim.pack, as: name, modified: modified, thumbnail: small,
                    stem: settings.keepStem ? claim.path.stem : nil))
        }
        let stems = stems(of: claim, photo: photo, settings)
        let ending = Ending.made(copies, stems: stems, skipping: skipped)
        guard !copies.isEmpty else {
            try await finishRemoved(claim, as: ending)
            return true
        }
        try await library.finish(claim, as: ending, originals: settings.originals)
        log(
            .stickerMade, "Copied a sticker from another pack", claim,
            ["sticker": "\(copies.map(\.file).joined(separator: " "))"])
        return true
    }

    /// Finishes a photo all of whose stickers a user has removed. The photo stays: it may be the only copy.
    func finishRemoved(_ claim: Claim, as ending: Ending) async throws {
        try await library.finish(claim, as: ending, originals: .keep)
        logger.info(
            "The photo's sticker was removed earlier; stickerd restore makes it again",
            metadata: ["photo": "\(claim.path)"])
    }

    /// Returns the thumbnail's name, and the modification time of the sticker's file.
    private func publish(
        _ data: [UInt8], _ thumbnail: [UInt8], as name: String, inPack pack: String
    ) async throws -> (thumbnail: String, modified: Int64) {
        let small = OutboxName.thumbnail(ofSticker: name)
        // Safe in parallel: neither is listed before the Library has recorded both.
        async let thumbnailIsThere = outbox.publish(
            thumbnail, named: small, inPack: pack, under: .thumbnails, gathering: hasBacklog)
        let modified = try await outbox.publish(data, named: name, inPack: pack, gathering: hasBacklog)
        _ = try await thumbnailIsThere
        conditions.end(.pack(ExactName(pack)))
        return (small, modified)
    }
}
