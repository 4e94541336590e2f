import LinuxIO
import Outbox
import SystemPackage

/// A folder below a pack's, in which no symbolic link is followed. Errors name the file.
extension OpenFolder {
    /// A folder in it; nil if there is none.
    ///
    /// - Throws: with kind `.occupied` if something else has the name.
    func folder(_ name: String) throws(ExportTrouble) -> OpenFolder? {
        do throws(Errno) {
            let open = try OwnedDescriptor(opening: Array(name.utf8), in: descriptor.raw, options: .directory)
            return try OpenFolder(open, path: path.appending(name))
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .notDirectory, .tooManySymbolicLinkLevels {
            throw .occupied(path.appending(name))
        } catch {
            throw .refused(path.appending(name), error)
        }
    }

    /// The same, but makes a missing folder.
    func madeFolder(_ name: String) throws(ExportTrouble) -> OpenFolder {
        _ = try naming(name) { () throws(Errno) in try FolderTree.make(Array(name.utf8), in: descriptor.raw) }
        guard let folder = try folder(name) else { throw .refused(path.appending(name), .noSuchFileOrDirectory) }
        return folder
    }

    /// nil if there is nothing of this name.
    func status(of name: String) throws(ExportTrouble) -> FileStatus? {
        try naming(name) { () throws(Errno) in try FileStatus.existing(Array(name.utf8), in: descriptor.raw) }
    }

    /// The whole contents of a file; nil if there is none.
    ///
    /// - Throws: with kind `.occupied` if it is no regular file.
    func contents(of name: String, upTo limit: Int) throws(ExportTrouble) -> [UInt8]? {
        guard let status = try status(of: name) else { return nil }
        guard status.kind == .regular else { throw .occupied(path.appending(name)) }
        return try naming(name) { () throws(Errno) in
            try RegularFile.contents(of: name, beneath: descriptor, upTo: limit)
        }
    }

    /// A regular file, open for reading.
    func open(_ name: String) throws(Errno) -> OwnedDescriptor { try RegularFile.open(name, beneath: descriptor) }

    /// Writes a file atomically and durably.
    func write(_ bytes: [UInt8], named name: String) throws(ExportTrouble) {
        _ = try naming(name) { () throws(Errno) in
            try AtomicFile.write([(name, bytes)], in: descriptor, mode: OutboxWriter.fileMode)
        }
    }

    /// Adds bytes to the end of a file; makes it if it is missing. A crash may write only the first of them, and a
    /// power cut none, unless it `isDurable`.
    func append(_ bytes: [UInt8], to name: String, isDurable: Bool) throws(ExportTrouble) {
        try naming(name) { () throws(Errno) in
            let file = try OwnedDescriptor(
                opening: Array(name.utf8), in: descriptor.raw, .writeOnly,
                options: [.create, .append, .noFollow, .nonBlocking], permissions: OutboxWriter.fileMode)
            guard try FileStatus(ofDescriptor: file.raw).kind == .regular else { throw .invalidArgument }
            try file.write(bytes)
            if isDurable { try file.synchronize() }
        }
        if isDurable { try synchronize() }
    }

    /// Removes a file, but no folder. Returns false if there was none.
    @discardableResult
    func remove(_ name: String) throws(ExportTrouble) -> Bool {
        try naming(name) { () throws(Errno) in
            do throws(Errno) {
                return try descriptor.removeFile(Array(name.utf8))
            } catch .isDirectory {
                return false
            }
        }
    }

    func synchronize() throws(ExportTrouble) {
        try naming { () throws(Errno) in try descriptor.synchronize() }
    }

    /// Makes everything that was written to its file system durable: one call for many files.
    func synchronizeFileSystem() throws(ExportTrouble) {
        try naming { () throws(Errno) in try descriptor.synchronizeFileSystem() }
    }

    /// The names in it.
    func names() throws(ExportTrouble) -> [(name: String, kind: FileKind)] {
        try naming { () throws(Errno) in try DirectoryScan.entries(of: descriptor.raw) }
            .map { (String(decoding: $0.name, as: UTF8.self), $0.kind) }
    }

    /// Makes an `Errno` an error about a file of this folder, or about the folder itself.
    func naming<Value: ~Copyable>(
        _ name: String? = nil, _ body: () throws(Errno) -> Value
    ) throws(ExportTrouble) -> Value {
        do throws(Errno) { return try body() } catch { throw .refused(name.map { path.appending($0) } ?? path, error) }
    }

    /// Keeps other processes' exports out of it while it is open.
    func lock() throws(ExportTrouble) {
        do throws(Errno) {
            try descriptor.lock()
        } catch {
            throw ExportTrouble(
                .occupied, "\(path): another stickerd export writes to it; wait until that has finished")
        }
    }

    /// Opens a folder; follows symbolic links.
    static func opened(at path: FilePath) throws(ExportTrouble) -> OpenFolder {
        do throws(Errno) { return try OpenFolder(at: path) } catch { throw .refused(path, error) }
    }
}
