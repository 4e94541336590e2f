import Glibc
package import SystemPackage

/// Reads one folder's names, one at a time, following and opening nothing. Owns the kernel's cursor.
@safe package struct DirectoryScan: ~Copyable {
    package struct Entry: Sendable {
        /// As the kernel gives it: any bytes but NUL and `/`, not always UTF-8.
        package let name: [UInt8]
        /// Of the name itself: what a symbolic link leads to is not looked at.
        package let kind: FileKind
    }

    // Owned by this value alone, closed once in deinit.
    private let stream: OpaquePointer

    /// - Parameter folder: stays the caller's; the scan opens the folder anew and starts at its beginning.
    package init(of folder: Int32) throws(Errno) {
        let own = try OwnedDescriptor(opening: Array(".".utf8), in: folder, options: .directory)
        // fdopendir(3) owns the descriptor only when it succeeds.
        guard let stream = unsafe fdopendir(own.raw) else { throw Errno(rawValue: errno) }
        _ = own.release()
        unsafe self.stream = stream
    }

    // Not used after this.
    deinit { unsafe closedir(stream) }

    /// The folder, borrowed: for asking about its files.
    package var folder: Int32 {
        // Open as long as self; cannot fail then.
        unsafe dirfd(stream)
    }

    /// The next name without `.` and `..`, or nil at the end. What is made or removed meanwhile may or may not show.
    package mutating func next() throws(Errno) -> Entry? {
        while true {
            errno = 0
            // Valid until the next call on this stream, which only this value makes.
            guard let entry = unsafe readdir(stream) else {
                let cause = Errno(rawValue: errno)
                guard cause.rawValue == 0 else { throw cause }
                return nil
            }
            let name = unsafe Self.name(of: entry)
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            // Not every file system says what it is (readdir(3)); what is gone by now is left out.
            let kind = FileKind(entryType: unsafe entry.pointee.d_type)
            guard let kind = kind ?? (try? FileStatus(of: name, in: folder).kind) else { continue }
            return Entry(name: name, kind: kind)
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        // The kernel ends d_name with NUL inside the record; the record can be shorter than the struct.
        let start = unsafe UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
}
