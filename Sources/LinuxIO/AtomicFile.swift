import CLinuxShims
import Glibc
import PrometheusMetrics
import Synchronization
package import SystemPackage

/// Writes files atomically and durably.
package enum AtomicFile {
    private static let prefix = Array(".stickerd-".utf8)
    private static let suffix = Array(".tmp".utf8)
    private static let asideSuffix = Array(".aside".utf8)

    /// A random name for a draft.
    static func temporaryName() -> [UInt8] {
        prefix + Array(String(UInt64.random(in: .min ... .max), radix: 16).utf8) + suffix
    }

    /// The name of a file that is moved aside until it is checked (`FileMove.remove`). `removeLeftovers` skips it:
    /// unlike a draft, it may be the only copy of a photo.
    ///
    /// - Parameter key: identifies the file after a crash; without `/`.
    package static func asideName(_ key: String) -> [UInt8] { prefix + Array(key.utf8) + asideSuffix }

    /// The key in an aside name; nil for any other name.
    package static func asideKey(_ name: [UInt8]) -> String? {
        guard name.starts(with: prefix), name.suffix(asideSuffix.count).elementsEqual(asideSuffix),
            name.count >= prefix.count + asideSuffix.count
        else { return nil }
        return String(decoding: name[prefix.count...].dropLast(asideSuffix.count), as: UTF8.self)
    }

    /// Whether stickerd made this name, for a draft or a file moved aside.
    package static func isTemporary(_ name: some Collection<UInt8>) -> Bool {
        isDraft(name) || asideKey(Array(name)) != nil
    }

    private static func isDraft(_ name: some Collection<UInt8>) -> Bool {
        let name = Array(name)
        return name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
    }

    /// Writes `bytes` to `name` in `folder`, replacing any file of that name, and syncs both. After a throw the name is
    /// unchanged (or new, if only the folder's fsync failed), and no temporary file is left.
    ///
    /// - Parameter mode: reduced by the umask.
    package static func write(
        _ bytes: [UInt8], named name: String, in folder: FilePath,
        mode: FilePermissions = FilePermissions(rawValue: 0o644)
    ) throws(Errno) {
        let draft = try DraftFile(in: folder, mode: mode)
        try draft.write(bytes)
        try draft.publish(as: name)
    }

    /// Writes several files, each atomically and synced, then syncs the folder once. After a throw, some may be there.
    ///
    /// - Parameters:
    ///   - mode: reduced by the umask.
    ///   - syncsFolder: otherwise, a power failure may undo the renames until the folder is synced.
    /// - Returns: their status, but for the time of its last change.
    @discardableResult
    package static func write(
        _ files: [(name: String, bytes: [UInt8])], in folder: borrowing OwnedDescriptor, mode: FilePermissions,
        syncsFolder: Bool = true
    ) throws(Errno) -> [FileStatus] {
        var written: [FileStatus] = []
        for (name, bytes) in files {
            var draft = try DraftFile(in: try OwnedDescriptor(duplicating: folder), mode: mode)
            try draft.write(bytes)
            written.append(try draft.status())
            try draft.rename(to: name)
        }
        if syncsFolder { try synchronize(folder.raw) }
        return written
    }

    /// Removes the drafts that a killed process left in `folder`, and returns their number. Keeps those in use, by this
    /// process or another.
    @discardableResult
    package static func removeLeftovers(in folder: FilePath) throws(Errno) -> Int {
        try removeLeftovers(in: try OwnedDescriptor(opening: folder, options: .directory))
    }

    /// The same in an open folder.
    @discardableResult
    package static func removeLeftovers(in folder: borrowing OwnedDescriptor) throws(Errno) -> Int {
        var leftovers: [[UInt8]] = []
        var scan = try DirectoryScan(of: folder.raw)
        while let entry = try scan.next() {
            if entry.kind != .folder, isDraft(entry.name), !DraftFile.isInUse(entry.name, in: folder.raw) {
                leftovers.append(entry.name)
            }
        }
        for name in leftovers { try remove(name, in: folder.raw) }
        return leftovers.count
    }

    /// Removes a file and syncs the folder. A missing file is no error.
    package static func remove(_ name: String, in folder: FilePath) throws(Errno) {
        let folder = try OwnedDescriptor(opening: folder, options: .directory)
        if try folder.removeFile(Array(name.utf8)) { try synchronize(folder.raw) }
    }

    /// Removes files, then syncs the folder once. A missing file is no error; a folder with one of the names stays.
    package static func remove(_ names: [String], in folder: borrowing OwnedDescriptor) throws(Errno) {
        for name in names {
            do throws(Errno) {
                try remove(Array(name.utf8), in: folder.raw)
            } catch .noSuchFileOrDirectory, .isDirectory {
                continue
            }
        }
        // Also if all are missing: a call that failed before its fsync may have removed them.
        try synchronize(folder.raw)
    }

    /// Syncs a file or folder.
    package static func synchronize(_ open: borrowing OwnedDescriptor) throws(Errno) { try synchronize(open.raw) }

    static func synchronize(_ descriptor: Int32) throws(Errno) {
        let start = ContinuousClock.now
        defer { time.record(start.duration(to: .now)) }
        _ = try DiskWaits.shared.during { () throws(Errno) in try Errno.retry { fsync(descriptor) } }
    }

    private static let time = MetricsMemory.ofProcess.times(.fsync)

    static func remove(_ name: [UInt8], in folder: Int32) throws(Errno) {
        try name.withCString { name throws(Errno) in
            // The string outlives the call.
            _ = try Errno.retry { unsafe unlinkat(folder, name, 0) }
        }
    }
}

/// A file written piece by piece. It has no name until `publish`, or a temporary one if the file system does not
/// support unnamed files (O_TMPFILE, open(2)), and is removed if that is never called.
package struct DraftFile: ~Copyable, Sendable {
    /// The temporary names of this process's drafts, and the folders that they are in.
    private static let inUse = Mutex<[[UInt8]: Int32]>([:])

    private let folder: OwnedDescriptor
    private let file: OwnedDescriptor
    private let temporary: [UInt8]
    private var hasName: Bool
    private var isPublished = false

    /// - Parameters:
    ///   - folder: the draft stays in this folder even if its path leads elsewhere meanwhile.
    ///   - mode: reduced by the umask.
    package init(in folder: FilePath, mode: FilePermissions = FilePermissions(rawValue: 0o644)) throws(Errno) {
        try self.init(in: try OwnedDescriptor(opening: folder, options: .directory), mode: mode)
    }

    /// - Parameters:
    ///   - folder: the draft stays in this folder even if its path leads elsewhere meanwhile.
    ///   - mode: reduced by the umask.
    package init(in folder: consuming OwnedDescriptor, mode: FilePermissions) throws(Errno) {
        let (name, raw) = (AtomicFile.temporaryName(), folder.raw)
        Self.inUse.withLock { $0[name] = raw }
        do throws(Errno) {
            // A file without a name gets one through /proc.
            let nameless =
                OwnedDescriptor.exists("/proc/self/fd")
                ? try? OwnedDescriptor(
                    opening: Array(".".utf8), in: raw, .writeOnly, options: .init(rawValue: linux_o_tmpfile()),
                    permissions: mode) : nil
            hasName = nameless == nil
            file =
                if let nameless { nameless } else {
                    try OwnedDescriptor(
                        opening: name, in: raw, .writeOnly, options: [.create, .exclusiveCreate], permissions: mode)
                }
        } catch {
            Self.inUse.withLock { _ = $0.removeValue(forKey: name) }
            throw error
        }
        self.folder = folder
        temporary = name
        // Without locks, the drafts of a running command look like leftovers.
        _ = linux_lock(file.raw)
    }

    deinit {
        if !isPublished, hasName { try? AtomicFile.remove(temporary, in: folder.raw) }
        Self.inUse.withLock { _ = $0.removeValue(forKey: temporary) }
    }

    static func isInUse(_ name: [UInt8], in folder: Int32) -> Bool {
        if inUse.withLock({ $0[name] != nil }) { return true }
        guard let file = try? OwnedDescriptor(opening: name, in: folder, options: .nonBlocking) else { return false }
        return linux_is_locked(file.raw) == 1
    }

    /// Removes this process's drafts. Call it before a signal ends the process.
    package static func removeAll() {
        inUse.withLock { for (name, folder) in $0 { try? AtomicFile.remove(name, in: folder) } }
    }

    /// Appends all of `bytes`.
    package func write(_ bytes: [UInt8]) throws(Errno) { try file.write(bytes) }

    /// Appends a range of another file, copied by the kernel: on file systems with shared extents, no data is written.
    ///
    /// - Throws: `Errno.ioError` if it is shorter.
    package func write(from source: borrowing OwnedDescriptor, _ range: Range<Int>) throws(Errno) {
        try file.write(from: source, range)
    }

    /// Sets the mode regardless of the umask.
    package func setMode(_ mode: FilePermissions) throws(Errno) {
        _ = try Errno.retry { fchmod(file.raw, mode.rawValue) }
    }

    /// Borrowed, for calls about the file.
    var descriptor: Int32 { file.raw }

    /// The file's status so far; only its name and the time of its last change of status will differ when it is
    /// published.
    package func status() throws(Errno) -> FileStatus { try FileStatus(ofDescriptor: file.raw) }

    /// Renames the file to `name`, replacing any file of that name, and syncs both. After a throw the name is unchanged
    /// (or new, if only the folder's fsync failed).
    package consuming func publish(as name: String) throws(Errno) {
        try rename(to: name)
        try AtomicFile.synchronize(folder.raw)
    }

    /// The same, but shares the folder's fsync with concurrent calls for the same folder, and with later ones if
    /// `gathering`.
    package consuming func publish(
        as name: String, sharing syncs: FolderSyncs, gathering: Bool
    ) async throws(Errno) {
        try rename(to: name)
        try await syncs.sync(folder.raw, gathering: gathering)
    }

    /// The same without a sync: the caller has synced the contents, and syncs the folder later.
    package consuming func publish(synced name: String) throws(Errno) { try rename(to: name, isSynced: true) }

    /// Syncs the file, unless it `isSynced`, and renames it. The new name is not durable until the folder is synced.
    fileprivate mutating func rename(to name: String, isSynced: Bool = false) throws(Errno) {
        if !isSynced { try AtomicFile.synchronize(file.raw) }
        if !hasName {
            let link = Array("/proc/self/fd/\(file.raw)".utf8)
            try link.withCString { link throws(Errno) in
                try temporary.withCString { temporary throws(Errno) in
                    // The strings outlive the call. A temporary name first, because link(2) replaces no file.
                    _ = try Errno.retry { unsafe linkat(AT_FDCWD, link, folder.raw, temporary, AT_SYMLINK_FOLLOW) }
                }
            }
            hasName = true
        }
        try FileMove.renameOver(temporary, in: folder.raw, to: Array(name.utf8), in: folder.raw)
        isPublished = true
    }
}
