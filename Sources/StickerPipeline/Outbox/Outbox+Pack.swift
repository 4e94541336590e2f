import Foundation
import Gallery
import LinuxIO
import PhotoLibrary
import SystemPackage

/// Writes a pack's index and page, a batch of stickers at a time, on the Outbox's thread.
extension Outbox {
    /// The most stickers in memory at a time.
    private static let batch = 200

    /// Writes a pack's index, unless only its head would change.
    ///
    /// - Parameters:
    ///   - head: the new head.
    ///   - last: SHA-256 of what follows the head in the current index.
    /// - Returns: SHA-256 of what follows the head now.
    func write(
        _ index: PackIndexFile, head: PackIndexFile.Head, pack: String, unless last: String?
    ) async throws -> String {
        var index = index
        return try await naming(pack) {
            let draft = DigestedDraft(file: try await draft(inPack: pack), digest: try RunningDigest.start())
            try draft.file.write(head.bytes)
            try draft.write(index.opening())
            if index.pages == nil {
                try await forEachBatch(ofPack: pack) { try draft.write(index.stickers($0)) }
            } else {
                try draft.write(index.listedPages())
            }
            try draft.write(index.closing())
            return try draft.publish(as: PackIndex.fileName, unless: last)
        }
    }

    /// Writes a pack's page if it has changed. Returns its SHA-256.
    func write(_ page: GalleryPage, pack: String, unless last: String?) async throws -> String {
        var page = page
        return try await naming(pack) {
            let draft = DigestedDraft(file: try await draft(inPack: pack), digest: try RunningDigest.start())
            try draft.write(page.opening())
            try await forEachBatch(ofPack: pack) {
                try draft.write(page.stickers($0.map(GalleryContents.Sticker.init)))
            }
            try draft.write(page.closing())
            return try draft.publish(as: GalleryPage.fileName, unless: last)
        }
    }

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil if stickerd wrote none.
    func index(ofPack pack: String) async throws -> (head: PackIndexFile.Head, digest: String)? {
        let path = try await path(ofPack: pack).appending(PackIndex.fileName)
        guard let file = try? OwnedDescriptor(opening: path),
            let beginning = try? file.read(upTo: PackIndexFile.Head.maxBytes),
            let (head, length) = PackIndexFile.Head.parse(beginning),
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max)
        else { return nil }
        return (head, digest.hex)
    }

    /// SHA-256 of a pack's page on disk.
    func pageDigest(ofPack pack: String) async throws -> String? {
        let path = try await path(ofPack: pack).appending(GalleryPage.fileName)
        guard let file = try? OwnedDescriptor(opening: path) else { return nil }
        return try? ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex
    }

    private func forEachBatch(
        ofPack pack: String, _ body: ([PhotoLibrary.PackSticker]) throws -> Void
    ) async throws {
        var position = PhotoLibrary.PackPosition.start
        while true {
            let stickers = try await library.stickers(ofPack: pack, after: position, limit: Self.batch)
            try body(stickers)
            guard let last = stickers.last, stickers.count == Self.batch else { return }
            position = last.position
        }
    }

    /// Adds the pack's folder to errors of the file system.
    private func naming<Value>(_ pack: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as Errno {
            throw OutboxError(folder: try await path(ofPack: pack), cause: error)
        }
    }
}

/// A draft that is published only if its contents are new.
private struct DigestedDraft: ~Copyable {
    let file: DraftFile
    let digest: RunningDigest

    func write(_ bytes: [UInt8]) throws(Errno) {
        try digest.update(bytes)
        try file.write(bytes)
    }

    /// Publishes what was written, unless its SHA-256, which is returned, is `last`.
    consuming func publish(as name: String, unless last: String?) throws(Errno) -> String {
        let digest = try digest.finish().hex
        if digest != last { try file.publish(as: name) }
        return digest
    }
}

extension GalleryContents {
    /// The contents of a pack's page, from the same data as its index.
    init(
        description: PackIndex.Pack, summary: PhotoLibrary.PackSummary, head: PackIndexFile.Head,
        cover: PhotoLibrary.PackSticker?, colorCount: Int, archive: Archive?, packs: [Link]
    ) {
        self.init(
            revision: head.revision, updated: head.updated,
            pack: .init(
                name: description.name, identifier: description.identifier, publisher: description.publisher),
            colorCount: colorCount, archive: archive, packs: packs, pending: summary.pendingCount,
            total: summary.pendingCount + summary.madeCount + summary.withoutStickerCount,
            stickerCount: summary.stickerCount, cover: cover.map(Sticker.init),
            waiting: summary.pending.map { .init(name: $0.path.fileName) },
            without: (summary.withoutSubject + summary.failed).map {
                .init(name: $0.path.fileName, reason: $0.reason ?? "", photo: $0.colors)
            })
    }
}

extension GalleryContents.Sticker {
    init(_ entry: PhotoLibrary.PackSticker) {
        let sticker = entry.sticker
        self.init(
            id: sticker.identifier, file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes,
            name: OutboxName.title(ofSticker: sticker.file, photo: sticker.photo),
            added: sticker.added.formatted(.packTime), photo: entry.colors, subject: entry.subjectColors)
    }
}
