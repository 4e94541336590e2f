import Foundation
import Gallery
import LinuxIO
import PhotoLibrary
import SystemPackage

/// Writes a pack's index and page, a batch of stickers at a time, on the Outbox's thread.
extension Outbox {
    /// How many stickers are encoded at a time: about 40 KB, which malloc(3) reuses. It takes larger blocks from the
    /// kernel, whose pages must be zeroed.
    private static let batch = 20

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
                try Self.forEachBatch(of: index.stickers) { batch throws(Errno) in
                    try draft.write(index.stickers(batch))
                }
            } else {
                try draft.write(index.listedPages())
            }
            try draft.write(index.closing())
            return try draft.publish(as: PackIndex.fileName, unless: last)
        }
    }

    /// Writes a pack's page if it has changed. Returns its SHA-256.
    ///
    /// - Parameters:
    ///   - page: the page without its stickers.
    ///   - index: the pack's. If it is divided, the page has only the first stickers.
    ///   - pack: the page's pack.
    ///   - last: SHA-256 of the current page.
    func write(
        _ page: GalleryPage, index: PackIndexFile, pack: String, unless last: String?
    ) async throws -> String {
        var page = page
        return try await naming(pack) {
            let draft = DigestedDraft(file: try await draft(inPack: pack), digest: try RunningDigest.start())
            try draft.write(page.opening())
            if let pages = index.pages {
                try await forFirst(pages.pages, ofPack: pack, index.cache) { try draft.write(page.stickers($0)) }
            } else {
                try Self.forEachBatch(of: index.stickers) { batch throws(Errno) in
                    try draft.write(page.stickers(batch.map(index.cache.galleryEntry)))
                }
            }
            try draft.write(page.closing())
            return try draft.publish(as: GalleryPage.fileName, unless: last)
        }
    }

    /// The fewest stickers that the gallery's page of a divided pack has itself: as many as a large window shows at
    /// once, so that they are painted before any script is read.
    private static let firstStickers = 60

    /// Calls `body` with the stickers of each of the first pages, as their files list them.
    private func forFirst(
        _ pages: [PackPage], ofPack pack: String, _ cache: EntryCache, _ body: ([GalleryEntry]) throws -> Void
    ) async throws {
        var count = 0
        for page in pages where count < Self.firstStickers {
            var entries = cache.galleryEntries(of: page, ofPack: pack)
            if entries == nil, let stickers = try await library.stickers(of: page, ofPack: pack) {
                entries = cache.encodeGalleryEntries(of: page, ofPack: pack, stickers)
            }
            // If a sticker has changed since, the gallery takes all from the script.
            guard let entries else { return }
            try body(entries)
            count += entries.count
        }
    }

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil if stickerd wrote none.
    func index(ofPack pack: String) async throws -> (head: PackIndexFile.Head, digest: String)? {
        let path = try await path(ofPack: pack).appending(PackIndex.fileName)
        guard let file = try? RegularFile.open(path),
            let beginning = try? file.read(upTo: PackIndexFile.Head.maxBytes),
            let (head, length) = PackIndexFile.Head.parse(beginning),
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max)
        else { return nil }
        return (head, digest.hex)
    }

    /// SHA-256 of a pack's page on disk.
    func pageDigest(ofPack pack: String) async throws -> String? {
        let path = try await path(ofPack: pack).appending(GalleryPage.fileName)
        guard let file = try? RegularFile.open(path) else { return nil }
        return try? ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex
    }

    /// Removes a pack's page, unless another program wrote it.
    ///
    /// - Returns: whether there is no page now.
    func removePage(ofPack pack: String) async throws -> Bool {
        let path = try await path(ofPack: pack).appending(GalleryPage.fileName)
        let file: OwnedDescriptor
        do throws(Errno) {
            file = try RegularFile.open(path)
        } catch {
            return error == .noSuchFileOrDirectory
        }
        guard let beginning = try? file.read(upTo: GalleryPage.signBytes), GalleryPage.isSigned(beginning) else {
            return false
        }
        try await withdraw([GalleryPage.fileName], fromPack: pack)
        return true
    }

    private static func forEachBatch(
        of stickers: [PhotoLibrary.PackSticker], _ body: (ArraySlice<PhotoLibrary.PackSticker>) throws(Errno) -> Void
    ) throws(Errno) {
        for start in stride(from: 0, to: stickers.count, by: batch) {
            try body(stickers[start..<min(start + batch, stickers.count)])
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
    /// The most photos of each kind without a sticker on the page of a divided pack: it is written for each sticker.
    private static let maxListed = 50

    /// The contents of a pack's page, from the same data as its index.
    init(
        _ index: PackIndexFile, head: PackIndexFile.Head, cover: PhotoLibrary.PackSticker?, archive: Archive?,
        navigation: String, exports: String?
    ) {
        let (description, summary) = (index.description, index.summary)
        let limit = index.pages == nil ? .max : Self.maxListed
        self.init(
            revision: head.revision, updated: head.updated,
            pack: .init(
                name: description.name, identifier: description.identifier, publisher: description.publisher),
            colorCount: index.colorCount, archive: archive, navigation: navigation,
            exports: exports, pending: summary.pendingCount,
            total: summary.pendingCount + summary.madeCount + summary.withoutStickerCount,
            stickerCount: summary.stickerCount, cover: cover.map(Sticker.init),
            pages: index.pages?.scripts,
            waiting: summary.pending.prefix(limit).map { .init(name: $0.path.fileName) },
            without: (summary.withoutSubject.prefix(limit) + summary.failed.prefix(limit)).map {
                .init(name: $0.path.fileName, reason: $0.reason ?? "", photo: $0.colors)
            }, withoutCount: summary.withoutStickerCount)
    }
}

extension GalleryContents.Sticker {
    init(_ entry: PhotoLibrary.PackSticker) {
        let sticker = entry.sticker
        let words = StickerWords(of: sticker)
        self.init(
            id: sticker.identifier, file: sticker.file, thumbnail: sticker.thumbnailFile, width: sticker.width,
            height: sticker.height, bytes: sticker.bytes, name: words.name, emoji: words.emoji.map(\.text),
            added: sticker.added.formatted(.packTime), photo: entry.colors, subject: entry.subjectColors)
    }
}
