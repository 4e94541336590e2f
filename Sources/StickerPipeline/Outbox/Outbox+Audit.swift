import LinuxIO
import PhotoLibrary
import SystemPackage

extension Outbox {
    /// Compares the outbox with the Library: removes temporary files, and requeues photos whose stickers or thumbnails
    /// are missing, if the photos still exist. Returns how many were requeued.
    ///
    /// Linear in the number of stickers; meant for the start. Reports and skips a pack whose folder cannot be read.
    ///
    /// - Throws: `OutboxError` with `isAway` if the outbox is unavailable; then nothing counts as missing.
    package func audit(report: (OutboxError) -> Void) async throws -> Int {
        var waiting = 0
        for pack in try await library.packNames().map(\.text) {
            do {
                let missing = try await self.missing(of: try await library.publishedFiles(ofPack: pack), inPack: pack)
                if !missing.isEmpty { waiting += try await library.remake(missing, inPack: pack) }
                _ = try await tidiedNames(ofPack: pack, .palettes)
                let gone = try await self.missing(
                    of: try await library.publishedThumbnails(ofPack: pack), inPack: pack, .thumbnails)
                if !gone.isEmpty { waiting += try await library.remake(thumbnails: gone, inPack: pack) }
            } catch let error as OutboxError where !error.isAway {
                report(error)
            }
        }
        return waiting
    }

    /// The pack's stickers that have no file in its folder.
    ///
    /// - Throws: `OutboxError`, with `isAway` if the outbox is not the same as before.
    func missing(_ stickers: Set<ExactName>, inPack pack: String) async throws -> Set<ExactName> {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            var missing: Set<ExactName> = []
            for sticker in stickers {
                guard try !folder.hasFile(sticker.text) else { continue }
                missing.insert(sticker)
            }
            return missing
        }
    }

    /// The names under which a pack's folder, or one of its subfolders, has no file.
    private func missing(
        of names: Set<ExactName>, inPack pack: String, _ subfolder: OutboxSubfolder? = nil
    ) async throws -> Set<ExactName> {
        let unlisted = names.subtracting(try await tidiedNames(ofPack: pack, subfolder))
        guard !unlisted.isEmpty else { return [] }
        let prefix = subfolder.map { $0.rawValue + "/" } ?? ""
        return try await inFolder(ofPack: pack) { folder throws(Errno) in
            // Some file systems list a name in another Unicode normalization, but find it in either.
            var missing: Set<ExactName> = []
            for name in unlisted where try !folder.hasFile(prefix + name.text) { missing.insert(name) }
            return missing
        }
    }
}
