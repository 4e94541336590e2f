import FileNames
package import LinuxIO
import PhotoLibrary
package import SystemPackage

/// A folder of the outbox.
extension OpenFolder {
    /// A file without a name in it, readable by all users.
    package func draft() throws(Errno) -> DraftFile {
        try DraftFile(in: try OwnedDescriptor(duplicating: descriptor), mode: OutboxWriter.fileMode)
    }

    /// Removes files, given relative to this folder, and syncs each folder that had one. A missing file is no error; a
    /// folder with a file's name stays.
    func remove(_ files: [String]) throws(Errno) {
        var names: [String: [String]] = [:]
        for file in files {
            let components = FilePath(file).components
            guard let name = components.last?.string else { continue }
            names[components.count > 1 ? components.first?.string ?? "" : "", default: []].append(name)
        }
        // The folder itself is first.
        for (subfolder, names) in names.sorted(by: { $0.key < $1.key }) {
            guard !subfolder.isEmpty else {
                try AtomicFile.remove(names, in: descriptor)
                continue
            }
            do throws(Errno) {
                try AtomicFile.remove(names, in: try self.subfolder(subfolder).descriptor)
            } catch .noSuchFileOrDirectory {
                // The subfolder was removed.
                continue
            }
        }
    }

    /// Size and time of the regular file at this path, relative to this folder; nil if there is none.
    func stamp(of file: String) throws(Errno) -> FileStamp? {
        try FileStatus.existing(Array(file.utf8), in: descriptor.raw).flatMap { FileStamp($0) }
    }

    /// Whether a sticker of this folder's pack has its file, with the size and the SHA-256 that were recorded.
    func has(_ sticker: StickerRecord) throws(Errno) -> Bool {
        do throws(Errno) {
            // A pipe must not block.
            let file = try OwnedDescriptor(opening: Array(sticker.file.utf8), in: descriptor.raw, options: .nonBlocking)
            let status = try FileStatus(ofDescriptor: file.raw)
            guard status.kind == .regular, status.identity.size == sticker.bytes else { return false }
            return try ContentDigest.sha256(ofDescriptor: file.raw, limit: sticker.bytes).hex == sticker.sha256
        } catch .noSuchFileOrDirectory, .tooManySymbolicLinkLevels, .permissionDenied, .fileTooLarge {
            return false
        }
    }

    /// The names of all files in it. Removes temporary files that a crash left.
    func tidiedNames() throws(Errno) -> Set<ExactName> {
        try AtomicFile.removeLeftovers(in: descriptor)
        let files = try DirectoryScan.entries(of: descriptor.raw).filter { $0.kind != .folder }
        return Set(files.map { ExactName(String(decoding: $0.name, as: UTF8.self)) })
    }
}
