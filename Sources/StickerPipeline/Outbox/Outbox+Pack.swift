import Foundation
import Gallery
import LinuxIO
import PhotoLibrary
import SystemPackage

/// The files that tell of a whole pack, written a few stickers at a time on the Outbox's own thread.
extension Outbox {
    /// Stickers in memory at a time.
    private static let batch = 200

    /// Writes a pack's index, unless it would say what the last one said.
    ///
    /// - Parameters:
    ///   - head: of the new one.
    ///   - last: SHA-256 of what followed the head in the last one.
    /// - Returns: SHA-256 of what follows the head now.
    func write(
        _ index: PackIndexFile, head: PackIndexFile.Head, pack: String, unless last: String?
    ) async throws -> String {
        var index = index
        return try await naming(pack) {
            let draft = DigestedDraft(file: try await draft(inPack: pack), digest: try RunningDigest.start())
            try draft.file.write(head.bytes)
            try draft.write(index.opening())
            try await forEachBatch(ofPack: pack) { try draft.write(index.stickers($0)) }
            try draft.write(index.closing())
            return try draft.publish(as: PackIndex.fileName, unless: last)
        }
    }

    /// Writes a pack's page, unless it would be the same as the last one. Returns its SHA-256.
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

    /// The head of a pack's index on disk, and SHA-256 of what follows it; nil where there is none of ours.
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

    /// What the file system refuses, with the pack's folder.
    private func naming<Value>(_ pack: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as Errno {
            throw OutboxError(folder: try await path(ofPack: pack), cause: error)
        }
    }
}

/// A file in the making that knows whether it says anything new.
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
