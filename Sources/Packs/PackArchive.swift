import Archives
import FileNames
import Foundation
import Gallery
import LinuxIO
import Outbox
import OutboxLayout
package import PackLedger
package import PhotoLibrary
import SystemPackage

/// A ZIP of a pack's stickers, for viewing the gallery from file://, where browsers let no page read other files. If
/// not all of them fit, it has the newest.
package struct PackArchive {
    let stickers: [StickerRecord]
    /// Identifies the contents. Stored in the ZIP's comment, so that a restart recognizes it.
    let digest: String
    /// The exact size of the file.
    let size: Int

    /// - Parameters:
    ///   - stickers: those of the pack in order of arrival, except those that `skipped` left out.
    ///   - limit: the largest size of the file. If these stickers do not fit, more of the oldest are left out.
    init(_ stickers: [StickerRecord], limit: Int) throws {
        var rest = stickers[...]
        var size = Self.size(of: rest)
        while !rest.isEmpty, size > min(limit, StoredZip.maxBytes) || rest.count > StoredZip.maxEntries {
            rest = rest.dropFirst(Self.step(fitting: rest.count))
            size = Self.size(of: rest)
        }
        let list = try RunningDigest.start()
        for (index, sticker) in rest.enumerated() {
            try list.update(Array("\(index > 0 ? "\n" : "")\(sticker.file)/\(sticker.sha256)".utf8))
        }
        self.stickers = Array(rest)
        self.size = size
        digest = try list.finish().hex
    }

    private static func size(of stickers: ArraySlice<StickerRecord>) -> Int {
        StoredZip.size(
            of: stickers.map { (name: $0.file, bytes: $0.bytes) },
            comment: String(repeating: "0", count: ContentDigest.hexLength))
    }

    /// What an entry adds to the size of the ZIP besides the file, with a name of usual length.
    static let overhead = StoredZip.size(ofEntry: 0, nameLength: 24)

    /// How many of a pack's oldest stickers its ZIP leaves out, because it would become larger than `limit`.
    ///
    /// It increases in large steps, so that most new stickers only extend the ZIP.
    static func skipped(_ summary: Library.PackSummary, limit: Int) -> Int {
        skipped(count: summary.stickerCount, bytes: summary.stickerBytes, limit: limit)
    }

    /// The same.
    static func skipped(count: Int, bytes: Int, limit: Int) -> Int {
        let (limit, bytes) = (min(limit, StoredZip.maxBytes), bytes + count * overhead)
        guard count > 0, bytes > limit || count > StoredZip.maxEntries else { return 0 }
        let fitting = min(limit / (bytes / count), StoredZip.maxEntries, count)
        let step = step(fitting: fitting)
        return min((count - fitting + step - 1) / step * step, count)
    }

    /// A power of two from an eighth to a quarter of the stickers that fit, at least 1.
    private static func step(fitting: Int) -> Int {
        let quarter = max(fitting / 4, 1)
        return 1 << (Int.bitWidth - 1 - quarter.leadingZeroBitCount)
    }

    /// In the ledger.
    var key: String { PlannedFile.archive(digest: digest, entries: stickers.count) }

    /// Writes it, with one sticker in memory at a time. Returns the file of the first one in `folder` that is not the
    /// Library's: the pack is about to change, or another program has changed the file.
    ///
    /// - Parameter file: empty.
    func write(
        to file: borrowing DraftFile, from folder: FilePath, reusing former: FormerZip?
    ) throws(Errno) -> String? {
        var zip = ZipWriter(comment: digest, reusing: former)
        for sticker in stickers where try !zip.reuse(sticker.file, sha256: sticker.sha256, in: file) {
            let path = folder.appending(sticker.file)
            guard let data = try? RegularFile.contents(of: path, upTo: sticker.bytes), data.count == sticker.bytes,
                // Later ZIPs copy the entry by this digest.
                try ContentDigest.sha256(of: data).hex == sticker.sha256
            else { return sticker.file }
            try zip.add(sticker.file, data, sha256: sticker.sha256, modified: sticker.added, to: file)
        }
        try zip.end(in: file)
        return nil
    }
}

extension OutboxWriter {
    /// Whether a pack's ZIP, or its absence, is as it is to be.
    ///
    /// - Parameter stickers: all that are published, in order.
    package static func isCurrent(
        _ files: [LedgerEntry], ofPack stickers: [StickerRecord], _ settings: PackSettings
    ) throws -> Bool {
        let written = files.first { $0.file.isExactly(OutboxFile.archive) }?.key
        guard let limit = settings.gallery?.maxArchiveBytes else { return written == nil }
        let skipped = PackArchive.skipped(
            count: stickers.count, bytes: stickers.reduce(0) { $0 + $1.bytes }, limit: limit)
        let archive = try PackArchive(Array(stickers.dropFirst(skipped)), limit: limit)
        return written == (archive.stickers.isEmpty ? nil : archive.key)
    }

    enum ArchivePublication {
        /// nil if it is no regular file.
        case written(FileStamp?)
        /// Nothing was written, because this file is not the Library's sticker.
        case differs(String)
    }

    /// Writes a pack's ZIP, unless a sticker no longer matches the Library.
    func publish(
        _ archive: PackArchive, inPack pack: String, reusing former: FileStamp?
    ) async throws -> ArchivePublication {
        try await inFolder(ofPack: pack, writing: [OutboxFile.archive]) { folder throws(Errno) in
            let former: FormerZip? =
                if let former { FormerZip(OutboxFile.archive, in: folder.descriptor, as: former) } else { nil }
            let draft = try folder.draft()
            if let sticker = try archive.write(to: draft, from: folder.path, reusing: former) {
                return .differs(sticker)
            }
            let written = try FileStamp(draft.status())
            try draft.publish(as: OutboxFile.archive)
            return .written(written)
        }
    }
}

extension GalleryPage.Archive {
    /// The ZIP as the ledger has it; nil if it is not as it was written.
    init?(_ entry: LedgerEntry?) {
        guard let entry, let stamp = entry.stamp,
            let stickers = entry.key.split(separator: " ").last.flatMap({ Int($0) })
        else { return nil }
        self.init(file: entry.file, bytes: Int(stamp.bytes), stickers: stickers)
    }
}
