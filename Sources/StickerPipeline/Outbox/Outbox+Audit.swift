import PhotoLibrary

extension Outbox {
    /// Compares the outbox with the Library: temporary files go, and stickers that are missing, or whose thumbnail is,
    /// are made again where their photo is still in the inbox. Returns how many photos are waiting again.
    ///
    /// Linear in the number of stickers; meant for the start. A pack whose folder cannot be read is told to `report`
    /// and passed over.
    ///
    /// - Throws: `OutboxError` with `isAway` where the outbox is not there, in which nothing counts as missing then.
    package func audit(report: (OutboxError) -> Void) async throws -> Int {
        var waiting = 0
        for pack in try await library.packNames() {
            do {
                let missing = try await library.publishedFiles(ofPack: pack)
                    .subtracting(try await tidiedNames(ofPack: pack))
                if !missing.isEmpty { waiting += try await library.remake(missing, inPack: pack) }
                _ = try await tidiedNames(ofPack: pack, .palettes)
                let gone = try await library.publishedThumbnails(ofPack: pack)
                    .subtracting(try await tidiedNames(ofPack: pack, .thumbnails))
                if !gone.isEmpty { waiting += try await library.remake(thumbnails: gone, inPack: pack) }
            } catch let error as OutboxError where !error.isAway {
                report(error)
            }
        }
        return waiting
    }
}
