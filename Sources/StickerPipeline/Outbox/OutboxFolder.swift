import LinuxIO
import PhotoLibrary
import SystemPackage

/// An open folder of the outbox: what is done in it is done on the disk that was looked at, also where that is unmounted
/// meanwhile and the path leads below its mount point.
struct OutboxFolder: ~Copyable {
    let descriptor: OwnedDescriptor
    /// Where it was when it was opened.
    let path: FilePath
    let place: FolderPlace

    init(_ descriptor: consuming OwnedDescriptor, path: FilePath) throws(Errno) {
        place = try FolderPlace(ofDescriptor: descriptor.raw)
        self.descriptor = descriptor
        self.path = path
    }

    /// A folder in it, a symbolic link to one included.
    ///
    /// - Throws: `noSuchFileOrDirectory` where there is none.
    func folder(_ name: String) throws(Errno) -> OutboxFolder {
        // The last component is not followed where it is a link; the dot is none.
        let open = try OwnedDescriptor(opening: Array("\(name)/.".utf8), in: descriptor.raw, options: .directory)
        return try OutboxFolder(open, path: path.appending(name))
    }

    /// The same, made where it is missing.
    func madeFolder(_ name: String) throws(Errno) -> OutboxFolder {
        try FolderTree.make(Array(name.utf8), in: descriptor.raw)
        return try folder(name)
    }

    func draft() throws(Errno) -> DraftFile {
        let own = try OwnedDescriptor(opening: Array(".".utf8), in: descriptor.raw, options: .directory)
        return try DraftFile(in: own, mode: Outbox.fileMode)
    }

    /// Removes a file, given relative to this folder; what is gone already is fine.
    func remove(_ file: String) throws(Errno) {
        let components = FilePath(file).components
        guard let name = components.last?.string else { return }
        guard components.count > 1, let subfolder = components.first?.string else {
            return try AtomicFile.remove(name, in: descriptor)
        }
        do throws(Errno) {
            try AtomicFile.remove(name, in: try folder(subfolder).descriptor)
        } catch .noSuchFileOrDirectory {
            // Somebody has removed the subfolder.
            return
        }
    }

    /// Whether there is a regular file under this path, given relative to this folder.
    func hasFile(_ file: String) throws(Errno) -> Bool {
        do throws(Errno) {
            return try FileStatus(of: Array(file.utf8), in: descriptor.raw).kind == .regular
        } catch .noSuchFileOrDirectory {
            return false
        } catch .notDirectory {
            return false
        }
    }

    /// The names of all files in it; temporary ones that a crash left behind are removed on the way.
    func tidiedNames() throws(Errno) -> Set<ExactName> {
        try AtomicFile.removeLeftovers(in: descriptor)
        var scan = try DirectoryScan(of: descriptor.raw)
        var names: Set<ExactName> = []
        while let entry = try scan.next() {
            if entry.kind != .folder { names.insert(ExactName(String(decoding: entry.name, as: UTF8.self))) }
        }
        return names
    }
}
