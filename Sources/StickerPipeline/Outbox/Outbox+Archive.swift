import Foundation
import Gallery
import LinuxIO
import SystemPackage

extension Outbox {
    /// Writes a pack's archive; without its folder's stickers as they should be, nothing.
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

    /// True where there was one.
    func removeArchive(ofPack pack: String) async throws -> Bool {
        guard try await archive(ofPack: pack) != nil else { return false }
        try await withdraw([PackArchive.fileName], fromPack: pack)
        return true
    }

    /// The archive that is in a pack's folder.
    func archive(ofPack pack: String) async throws -> GalleryContents.Archive? {
        let path = try await path(ofPack: pack).appending(PackArchive.fileName)
        guard let summary = StoredZip.summary(ofFileAt: path, commentLength: ContentDigest.hexLength) else {
            return nil
        }
        return .init(file: PackArchive.fileName, bytes: summary.bytes, stickers: summary.entries)
    }
}
