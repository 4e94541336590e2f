import LinuxIO
import PhotoLibrary
import SystemPackage

/// The files of an index's pages.
extension Outbox {
    /// Writes a page's files, each atomically, and all durably.
    ///
    /// - Parameters:
    ///   - index: the contents of its file in the index.
    ///   - script: those of its script; nil for none.
    ///   - page: the page, of which the files get their names.
    ///   - pack: the page's pack.
    /// - Throws: as `publish`.
    func write(
        index: [UInt8], script: [UInt8]?, as page: PackPage, inPack pack: String
    ) async throws -> PhotoLibrary.PageFiles {
        try await inFolder(ofPack: pack, .pages) { folder throws(Errno) in
            let files = [(page.name(.index), index)] + (script.map { [(page.name(.script), $0)] } ?? [])
            try AtomicFile.write(files, in: folder.descriptor, mode: Self.fileMode)
            return PhotoLibrary.PageFiles(
                page, index: try Self.written(index, as: page.name(.index), in: folder),
                script: try script.map { script throws(Errno) in
                    try Self.written(script, as: page.name(.script), in: folder)
                })
        }
    }

    /// The record of a file that was written with this text.
    private static func written(
        _ text: [UInt8], as name: String, in folder: borrowing OutboxFolder
    ) throws(Errno) -> PhotoLibrary.WrittenFile {
        let identity = try FileStatus(of: Array(name.utf8), in: folder.descriptor.raw).identity
        return PhotoLibrary.WrittenFile(
            bytes: Int(identity.size), modified: identity.modified, sha256: try ContentDigest.sha256(of: text).hex)
    }

    /// The pages whose files are not those that were written.
    ///
    /// - Parameter reading: whether to compare their contents, besides their sizes and times.
    /// - Throws: as `publish`.
    func damaged(
        _ files: [PhotoLibrary.PageFiles], inPack pack: String, reading: Bool
    ) async throws -> [PackPage] {
        guard !files.isEmpty else { return [] }
        return try await inFolder(ofPack: pack, .pages) { folder throws(Errno) in
            var damaged: [PackPage] = []
            for files in files {
                for (kind, file) in files.all
                where try !Self.has(file, named: files.page.name(kind), in: folder, reading: reading) {
                    damaged.append(files.page)
                    break
                }
            }
            return damaged
        }
    }

    private static func has(
        _ file: PhotoLibrary.WrittenFile, named name: String, in folder: borrowing OutboxFolder, reading: Bool
    ) throws(Errno) -> Bool {
        let name = Array(name.utf8)
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
