import Glibc
package import SystemPackage

/// Reads one folder's names, one at a time, without following links or opening files. Owns the directory stream.
@safe package struct DirectoryScan: ~Copyable {
    package struct Entry: Sendable {
        /// As the kernel returns it: any bytes but NUL and `/`, not necessarily UTF-8.
        package let name: [UInt8]
        /// Of the name itself; symbolic links are not followed.
        package let kind: FileKind
    }

    // Owned by this value alone, closed once in deinit.
    private let stream: OpaquePointer
    /// The entry that `next` returned last; valid until its next call.
    private var current: UnsafeMutablePointer<dirent>?

    /// - Parameter folder: borrowed; the scan opens the folder again and starts at its beginning.
    package init(of folder: Int32) throws(Errno) {
        let own = try OwnedDescriptor(opening: Array(".".utf8), in: folder, options: .directory)
        // fdopendir(3) owns the descriptor only when it succeeds.
        guard let stream = unsafe fdopendir(own.raw) else { throw Errno(rawValue: errno) }
        _ = own.release()
        unsafe self.stream = stream
        unsafe current = nil
    }

    /// All entries of a folder.
    package static func entries(of folder: Int32) throws(Errno) -> [Entry] {
        var scan = try DirectoryScan(of: folder)
        var entries: [Entry] = []
        while let entry = try scan.next() { entries.append(entry) }
        return entries
    }

    // Not used after this.
    deinit { unsafe closedir(stream) }

    /// The folder, borrowed, for calls about its files.
    package var folder: Int32 {
        // Cannot fail while the stream is open.
        unsafe dirfd(stream)
    }

    /// The next name except `.` and `..`, or nil at the end. Files created or removed during the scan may or may not
    /// appear.
    package mutating func next() throws(Errno) -> Entry? {
        while true {
            errno = 0
            // Valid until the next call on this stream, which only this value makes.
            unsafe current = readdir(stream)
            guard let entry = unsafe current else {
                let cause = Errno(rawValue: errno)
                guard cause.rawValue == 0 else { throw cause }
                return nil
            }
            let name = unsafe Self.name(of: entry)
            if name == Self.dot || name == Self.twoDots { continue }
            // Some file systems do not set d_type (readdir(3)). Skip a file that was removed since.
            let kind = FileKind(entryType: unsafe entry.pointee.d_type)
            guard let kind = kind ?? (try? FileStatus(of: name, in: folder).kind) else { continue }
            return Entry(name: name, kind: kind)
        }
    }

    /// The status of the file that `next` returned last.
    package func status() throws(Errno) -> FileStatus {
        // Not called before `next` or after its end.
        guard let entry = unsafe current else { throw .badFileDescriptor }
        return try unsafe FileStatus(of: Self.text(of: entry), in: folder)
    }

    /// Whether this process may read the file that `next` returned last.
    package var isReadable: Bool {
        guard let entry = unsafe current else { return false }
        return unsafe faccessat(folder, Self.text(of: entry), R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0
    }

    private static let dot = Array(".".utf8)
    private static let twoDots = Array("..".utf8)
    private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0

    private static func text(of entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
        // The kernel ends d_name with NUL inside the record; the record can be shorter than the struct.
        unsafe UnsafeRawPointer(entry).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let start = unsafe text(of: entry)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
}
