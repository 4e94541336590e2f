import Glibc
package import SystemPackage

/// Moves a file to an unused name, even on another file system, and never replaces a file. At every moment, even after
/// a power failure, the complete file has at least one of the two names. A file that has further names, by hard links,
/// is copied: writes and permissions of these names do not affect the moved file, nor the reverse.
package struct FileMove: ~Copyable {
    private let from: OwnedDescriptor
    private let to: OwnedDescriptor
    private let fromName: [UInt8]
    private let toName: [UInt8]
    private let aside: [UInt8]

    private static let chunk = 1 << 20

    /// Prepares a move of `fromName` in the folder `from` to `toName` in the folder `to`. `aside`, used if `to` is on
    /// another file system, is as in `remove`.
    package init(
        from: consuming OwnedDescriptor, _ fromName: [UInt8], to: consuming OwnedDescriptor, _ toName: [UInt8],
        aside: [UInt8]? = nil
    ) {
        self.from = from
        self.to = to
        self.fromName = fromName
        self.toName = toName
        self.aside = aside ?? Self.randomAside()
    }

    /// - Parameter isExpected: whether a file is the one to be moved; any other is left in place.
    /// - Returns: false if the name belongs to another file or to none.
    /// - Throws: `Errno.fileExists` if the new name is taken. After any throw the file is where it was, or moved if
    ///   only a folder's fsync failed.
    package func run(isExpected: (FileStatus) -> Bool) throws(Errno) -> Bool {
        guard let file = try CheckedFile(fromName, in: from.raw, isExpected) else { return false }
        if file.hasOtherNames { return try copy(isExpected: isExpected) }
        do throws(Errno) {
            try Self.rename(fromName, in: from.raw, to: toName, in: to.raw)
        } catch .improperLink {
            return try copy(isExpected: isExpected)
        }
        // Another file may have been renamed to this name just before; then it is moved back.
        guard try file.isStill(toName, in: to.raw, isExpected) else {
            try Self.putBack(toName, in: to.raw, as: fromName, in: from.raw)
            return false
        }
        try AtomicFile.synchronize(to.raw)
        try AtomicFile.synchronize(from.raw)
        return true
    }

    private func copy(isExpected: (FileStatus) -> Bool) throws(Errno) -> Bool {
        let source = try OwnedDescriptor(opening: fromName, in: from.raw, options: .nonBlocking)
        let status = try FileStatus(ofDescriptor: source.raw)
        guard isExpected(status) else { return false }
        let temporary = AtomicFile.temporaryName()
        do throws(Errno) {
            let copied = try Self.copy(source, to: temporary, in: to.raw)
            // Drop the page cache, to verify what is on disk.
            let copy = try OwnedDescriptor(opening: temporary, in: to.raw)
            posix_fadvise(copy.raw, 0, 0, POSIX_FADV_DONTNEED)
            guard try ContentDigest.sha256(ofDescriptor: copy.raw, limit: .max) == copied,
                try FileStatus(ofDescriptor: copy.raw).identity.size == status.identity.size
            else { throw .ioError }
            try Self.rename(temporary, in: to.raw, to: toName, in: to.raw)
        } catch {
            try? AtomicFile.remove(temporary, in: to.raw)
            throw error
        }
        try AtomicFile.synchronize(to.raw)
        try Self.remove(fromName, in: from.raw, aside: aside, isExpected: isExpected)
        return true
    }

    /// Copies contents, times and mode, and returns the digest of the bytes read.
    private static func copy(
        _ source: borrowing OwnedDescriptor, to name: [UInt8], in folder: Int32
    ) throws(Errno) -> ContentDigest {
        let status = try Stat(FileDescriptor(rawValue: source.raw))
        let mode = status.permissions.intersection(.init(rawValue: 0o777))
        let copy = try OwnedDescriptor(
            opening: name, in: folder, .writeOnly, options: [.create, .exclusiveCreate], permissions: mode)
        let digest = try RunningDigest.start()
        var position = 0
        while case let part = try source.read(at: position, upTo: chunk), !part.isEmpty {
            try digest.update(part)
            try copy.write(part)
            position += part.count
        }
        var times = [status.st_atim, status.st_mtim]
        // The call reads two times.
        _ = try Errno.retry { unsafe futimens(copy.raw, &times) }
        try AtomicFile.synchronize(copy.raw)
        return try digest.finish()
    }
}
