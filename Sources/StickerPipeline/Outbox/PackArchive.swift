import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage

/// All stickers of a pack in one ZIP, for those who look at the gallery as a file: browsers let no such page read its
/// neighbors.
struct PackArchive {
    static let fileName = "stickers.zip"

    let stickers: [PhotoLibrary.ArchivedSticker]
    /// Stands for what is in it; written into the archive's comment, so that a restart knows it again.
    let digest: String

    init(_ stickers: [PhotoLibrary.ArchivedSticker]) throws {
        self.stickers = stickers
        let list = try RunningDigest.start()
        for (index, sticker) in stickers.enumerated() {
            try list.update(Array("\(index > 0 ? "\n" : "")\(sticker.file)/\(sticker.sha256)".utf8))
        }
        digest = try list.finish().hex
    }

    /// What the archive's file has, exactly.
    var size: Int {
        StoredZip.size(of: stickers.map { (name: $0.file, bytes: $0.bytes) }, comment: digest)
    }

    func fits(into limit: Int) -> Bool {
        !stickers.isEmpty && stickers.count <= StoredZip.maxEntries && size <= min(limit, StoredZip.maxBytes)
    }

    /// Whether the archive in a pack's folder is this one.
    func isWritten(in folder: FilePath) -> Bool {
        StoredZip.summary(ofFileAt: folder.appending(Self.fileName), commentLength: digest.utf8.count)?.comment
            == digest
    }

    /// Writes it, one sticker in memory at a time. False where one is no longer in `folder` as the Library knows it:
    /// the pack is about to change.
    func write(to file: borrowing DraftFile, from folder: FilePath) throws(Errno) -> Bool {
        var zip = StoredZip(comment: digest)
        for sticker in stickers {
            guard let data = FileManager.default.contents(atPath: folder.appending(sticker.file).string),
                data.count == sticker.bytes
            else { return false }
            try file.write(zip.entry(named: sticker.file, [UInt8](data), modified: sticker.added))
        }
        try file.write(zip.end())
        return true
    }
}
