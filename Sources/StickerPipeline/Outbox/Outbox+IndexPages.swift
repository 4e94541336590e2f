import LinuxIO
import PhotoLibrary
import SystemPackage

/// The files of an index's pages.
extension Outbox {
    /// Writes a page's file, atomically and durably.
    ///
    /// - Throws: as `publish`.
    func write(_ text: [UInt8], as page: PackPage, inPack pack: String) async throws -> PhotoLibrary.PageFile {
        try await inFolder(ofPack: pack, .pages) { folder throws(Errno) in
            let name = PackPage.name(page.number, page.revision)
            let draft = try folder.draft()
            try draft.write(text)
            try draft.publish(as: name)
            let identity = try FileStatus(of: Array(name.utf8), in: folder.descriptor.raw).identity
            return PhotoLibrary.PageFile(
                page, bytes: Int(identity.size), modified: identity.modified,
                sha256: try ContentDigest.sha256(of: text).hex)
        }
    }

    /// The pages whose files are not those that were written.
    ///
    /// - Parameter reading: whether to compare their contents, besides their sizes and times.
    /// - Throws: as `publish`.
    func damaged(
        _ files: [PhotoLibrary.PageFile], inPack pack: String, reading: Bool
    ) async throws -> [PackPage] {
        guard !files.isEmpty else { return [] }
        return try await inFolder(ofPack: pack, .pages) { folder throws(Errno) in
            var damaged: [PackPage] = []
            for file in files where try !Self.has(file, in: folder, reading: reading) { damaged.append(file.page) }
            return damaged
        }
    }

    private static func has(
        _ file: PhotoLibrary.PageFile, in folder: borrowing OutboxFolder, reading: Bool
    ) throws(Errno) -> Bool {
        let name = Array(PackPage.name(file.page.number, file.page.revision).utf8)
        do throws(Errno) {
            let status = try FileStatus(of: name, in: folder.descriptor.raw)
            guard status.kind == .regular, status.identity.size == file.bytes,
                status.identity.modified == file.modified
            else { return false }
            guard reading else { return true }
            let open = try OwnedDescriptor(
                opening: name, in: folder.descriptor.raw, options: [.noFollow, .nonBlocking])
            return try ContentDigest.sha256(ofDescriptor: open.raw, limit: file.bytes).hex == file.sha256
        } catch {
            guard !error.isShortage else { throw error }
            // A file that cannot be read is replaced.
            return false
        }
    }
}
