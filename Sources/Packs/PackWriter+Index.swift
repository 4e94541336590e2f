import Foundation
import LinuxIO
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import SystemPackage

/// The index that is to be written, and the one that is on disk.
extension PackWriter {
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
