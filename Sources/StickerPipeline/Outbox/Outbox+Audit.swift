import LinuxIO
import PhotoLibrary
import SystemPackage

extension Outbox {
    /// Compares the outbox with the Library: removes temporary files, and requeues photos whose stickers or thumbnails
    /// are missing, if the photos still exist. Returns how many were requeued.
    ///
    /// Linear in the number of stickers. Reports and skips a pack whose folder cannot be read.
    ///
    /// - Parameters:
    ///   - tidies: whether temporary files are removed; only at the start, when no other Outbox writes.
    ///   - report: called with the errors.
    /// - Throws: `OutboxError` with `isAway` if the outbox is unavailable; then nothing counts as missing.
    package func audit(tidies: Bool = true, report: (OutboxError) -> Void) async throws -> Int {
        var waiting = 0
        for pack in try await library.packNames().map(\.text) {
            do {
                let missing = try await self.missing(
                    of: try await library.publishedFiles(ofPack: pack), inPack: pack, tidies: tidies)
                if !missing.isEmpty { waiting += try await library.remake(missing, inPack: pack) }
                if tidies {
                    for subfolder in [OutboxSubfolder.palettes, .pages] {
                        _ = try await tidiedNames(ofPack: pack, subfolder)
                    }
                }
                let gone = try await self.missing(
                    of: try await library.publishedThumbnails(ofPack: pack), inPack: pack, .thumbnails, tidies: tidies)
                if !gone.isEmpty { waiting += try await library.remake(thumbnails: gone, inPack: pack) }
            } catch let error as OutboxError where !error.isAway {
                report(error)
            }
        }
        return waiting
    }

    /// The names under which a pack's folder, or one of its subfolders, has no file.
    ///
    /// - Throws: `OutboxError`, with `isAway` if the outbox is not the same as before.
    func missing(
        _ names: Set<ExactName>, inPack pack: String, _ subfolder: OutboxSubfolder? = nil
    ) async throws -> Set<ExactName> {
        guard !names.isEmpty else { return [] }
        let prefix = subfolder.map { $0.rawValue + "/" } ?? ""
        return try await inFolder(ofPack: pack) { folder throws(Errno) in
            var missing: Set<ExactName> = []
            for name in names where try !folder.hasFile(prefix + name.text) { missing.insert(name) }
            return missing
        }
    }

    /// The same for many names, found in a list of the folder.
    private func missing(
        of names: Set<ExactName>, inPack pack: String, _ subfolder: OutboxSubfolder? = nil, tidies: Bool
    ) async throws -> Set<ExactName> {
        guard tidies else { return try await missing(names, inPack: pack, subfolder) }
        // Some file systems list a name in another Unicode normalization, but find it in either.
        let unlisted = names.subtracting(try await tidiedNames(ofPack: pack, subfolder))
        return try await missing(unlisted, inPack: pack, subfolder)
    }
}
