import Gallery
import Logging
import PhotoLibrary

/// The list of packs that all pages load, and what it was written from. One small file for the whole outbox: no pack's page
/// changes when another pack does.
final class NavigationFile {
    private var packs: [ExactName: PackNavigation.Pack] = [:]
    /// What is on disk; nil if unknown.
    private var written: [UInt8]?

    /// Makes the next `write` compare with the file.
    func recheck() { written = nil }

    /// Updates a pack's link, and returns whether it has one: a pack without stickers and photos has none, except the
    /// root pack.
    @discardableResult
    func update(
        _ pack: String, _ description: PackIndex.Pack, folder: String, _ summary: PhotoLibrary.PackSummary,
        cover: PhotoLibrary.PackSticker?
    ) -> Bool {
        let isEmpty = summary.stickerCount + summary.pendingCount + summary.withoutStickerCount == 0
        guard !isEmpty || pack.isEmpty else {
            packs[ExactName(pack)] = nil
            return false
        }
        let file = cover.map { $0.sticker.thumbnailFile ?? $0.sticker.file }
        packs[ExactName(pack)] = .init(
            name: description.name, identifier: description.identifier, folder: folder, stickers: summary.stickerCount,
            cover: file.map { folder.isEmpty ? $0 : "\(folder)/\($0)" })
        return true
    }

    /// The same for a pack whose files cannot be written: its page of before is still there.
    ///
    /// - Throws: errors of the Library.
    func update(_ pack: String, in library: PhotoLibrary, settings: PackSettings) async throws {
        let folder = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) ?? ""
        update(
            pack, settings.description(ofPack: pack, folder: folder), folder: folder,
            try await library.summary(ofPack: pack, listed: 0),
            cover: try await library.stickers(ofPack: pack, after: .start, limit: 1).first)
    }

    /// Writes the file if it has changed; removes it without a gallery. If the outbox refuses, the next call retries.
    ///
    /// - Throws: errors of the Library.
    func write(through outbox: Outbox, isWanted: Bool, _ logger: Logger) async throws {
        guard isWanted else { return try await remove(through: outbox, logger) }
        let bytes = PackNavigation(packs.sorted { $0.key < $1.key }.map(\.value)).bytes
        let name = PackNavigation.fileName
        let last = if let written { written } else { try await outbox.read(name, inPack: "") ?? [] }
        do {
            if bytes != last { try await outbox.publishHere(bytes, named: name, inPack: "") }
            written = bytes
        } catch let error as OutboxError {
            // The root pack meets the same condition and reports it.
            logger.debug("Cannot write the list of packs", metadata: ["reason": "\(error)"])
        }
    }

    /// Removes the file, unless another program wrote it.
    private func remove(through outbox: Outbox, _ logger: Logger) async throws {
        let name = PackNavigation.fileName
        guard written != [] else { return }
        do {
            let last = try await outbox.read(name, inPack: "") ?? []
            if last.starts(with: PackNavigation.beginning) { try await outbox.withdraw([name], fromPack: "") }
            written = []
        } catch let error as OutboxError {
            logger.debug("Cannot remove the list of packs", metadata: ["reason": "\(error)"])
        }
    }
}
