import Foundation
import Gallery
import LinuxIO
import PhotoLibrary
import SystemPackage

/// A ZIP of all stickers of a pack, for viewing the gallery from file://, where browsers let no page read other files.
struct PackArchive {
    static let fileName = "stickers.zip"

    let stickers: [PhotoLibrary.ArchivedSticker]
    /// Identifies the contents. Stored in the ZIP's comment, so that a restart recognizes it.
    let digest: String

    init(_ stickers: [PhotoLibrary.ArchivedSticker]) throws {
        self.stickers = stickers
        let list = try RunningDigest.start()
        for (index, sticker) in stickers.enumerated() {
            try list.update(Array("\(index > 0 ? "\n" : "")\(sticker.file)/\(sticker.sha256)".utf8))
        }
        digest = try list.finish().hex
    }

    /// The exact size of the file.
    var size: Int {
        StoredZip.size(of: stickers.map { (name: $0.file, bytes: $0.bytes) }, comment: digest)
    }

    func fits(into limit: Int) -> Bool {
        !stickers.isEmpty && stickers.count <= StoredZip.maxEntries && size <= min(limit, StoredZip.maxBytes)
    }

    /// Whether the ZIP in a pack's folder is this one.
    func isWritten(in folder: FilePath) -> Bool {
        StoredZip.summary(ofFileAt: folder.appending(Self.fileName), commentLength: digest.utf8.count)?.comment
            == digest
    }

    /// Writes it, with one sticker in memory at a time. Returns false if one in `folder` no longer matches the Library:
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

extension Outbox {
    /// Writes a pack's ZIP, unless a sticker no longer matches the Library.
    func publish(_ archive: PackArchive, inPack pack: String) async throws {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            let draft = try folder.draft()
            guard try archive.write(to: draft, from: folder.path) else { return }
            try draft.publish(as: PackArchive.fileName)
        }
    }

    func has(_ archive: PackArchive, inPack pack: String) async throws -> Bool {
        archive.isWritten(in: try await path(ofPack: pack))
    }

    /// Returns whether there was one.
    func removeArchive(ofPack pack: String) async throws -> Bool {
        guard try await archive(ofPack: pack) != nil else { return false }
        try await withdraw([PackArchive.fileName], fromPack: pack)
        return true
    }

    /// The ZIP in a pack's folder.
    func archive(ofPack pack: String) async throws -> GalleryContents.Archive? {
        let path = try await path(ofPack: pack).appending(PackArchive.fileName)
        guard let summary = StoredZip.summary(ofFileAt: path, commentLength: ContentDigest.hexLength) else {
            return nil
        }
        return .init(file: PackArchive.fileName, bytes: summary.bytes, stickers: summary.entries)
    }
}
