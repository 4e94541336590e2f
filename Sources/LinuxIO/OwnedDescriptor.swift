import CLinuxShims
import Glibc
package import SystemPackage

/// Owns one open descriptor and closes it when it goes out of scope; always close-on-exec.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// Borrowed: valid while this value lives. Store the value in a variable first: a temporary is closed before the
    /// call that takes its `raw`.
    package let raw: Int32

    /// Takes ownership of `raw`.
    package init(owning raw: Int32) {
        self.raw = raw
    }

    // close(2) frees the descriptor even on error; never retry: the number may be in use again.
    deinit { _ = close(raw) }

    /// Returns the open descriptor, which the caller must close.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }
}

extension OwnedDescriptor {
    /// A second descriptor of an open file, with the same position.
    package init(duplicating other: borrowing OwnedDescriptor) throws(Errno) {
        let other = other.raw
        self.init(owning: try Errno.retry { fcntl(other, F_DUPFD_CLOEXEC, 0) })
    }

    /// Opens `path`; relative paths start at the working directory.
    package init(
        opening path: FilePath, _ access: FileDescriptor.AccessMode = .readOnly,
        options: FileDescriptor.OpenOptions = [], permissions: FilePermissions = [.ownerReadWrite]
    ) throws(Errno) {
        do {
            let options = options.union(.closeOnExec)
            self.init(
                owning: try FileDescriptor.open(path, access, options: options, permissions: permissions).rawValue)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Opens `name` in the open folder `folder`; does not follow a symbolic link in its last component (`ELOOP`).
    ///
    /// - Parameter name: bytes as the kernel returns them; a NUL is `EINVAL`.
    package init(
        opening name: [UInt8], in folder: Int32, _ access: FileDescriptor.AccessMode = .readOnly,
        options: FileDescriptor.OpenOptions = [], permissions: FilePermissions = [.ownerReadWrite]
    ) throws(Errno) {
        let flags = access.rawValue | options.union([.closeOnExec, .noFollow]).rawValue
        self.init(
            owning: try name.withCString { name throws(Errno) in
                // The string ends with NUL and outlives the call.
                try Errno.retry { unsafe openat(folder, name, flags, permissions.rawValue) }
            })
    }

    /// Opens a file below `folder` for reading without following any symbolic link.
    ///
    /// Does not wait for the writer of a FIFO; check `FileStatus` before reading.
    /// - Parameter path: components separated by `/`; `..` is `EINVAL`.
    package init(opening path: [UInt8], beneath folder: Int32, options: FileDescriptor.OpenOptions = []) throws(Errno) {
        let names = path.split(separator: UInt8(ascii: "/"))
        guard let last = names.last, !names.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw .invalidArgument
        }
        let options = options.union(.nonBlocking)
        guard let first = names.dropLast().first else {
            self = try OwnedDescriptor(opening: Array(last), in: folder, options: options)
            return
        }
        // Needs no permission to read the folders.
        let above: FileDescriptor.OpenOptions = [.directory, .init(rawValue: linux_o_path())]
        var step = try OwnedDescriptor(opening: Array(first), in: folder, options: above)
        for name in names.dropFirst().dropLast() {
            step = try OwnedDescriptor(opening: Array(name), in: step.raw, options: above)
        }
        self = try OwnedDescriptor(opening: Array(last), in: step.raw, options: options)
    }

    /// Ends the effect of opening it with `nonBlocking`: reads wait for data again.
    package func waitForData() throws(Errno) { _ = try Errno.retry { fcntl(raw, F_SETFL, 0) } }

    /// A file in memory without a name.
    package static func inMemory(_ bytes: [UInt8]) throws(Errno) -> OwnedDescriptor {
        let file = OwnedDescriptor(owning: try Errno.retry { linux_memory_file() })
        try file.write(bytes)
        return file
    }

    /// Whether the path exists; false for a dangling link.
    package static func exists(_ path: FilePath) -> Bool {
        // The platform string outlives the call.
        unsafe path.withPlatformString { unsafe access($0, F_OK) } == 0
    }

    /// Writes all of `bytes` at the file's position.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let count = try Errno.retry {
                // The buffer outlives the call and is not read beyond its end.
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return unsafe Glibc.write(raw, rest.baseAddress, rest.count)
                }
            }
            written += count
        }
    }

    /// Reads `limit` bytes, or fewer if the file ends there; an empty array is the end of the file.
    ///
    /// - Parameters:
    ///   - limit: in bytes.
    ///   - waits: whether to wait for data even if the descriptor is non-blocking, for one that others share and may
    ///     have made so.
    package func read(upTo limit: Int, waits: Bool = false) throws(Errno) -> [UInt8] {
        try unsafe filled(limit, waits) { buffer, _ in unsafe Glibc.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// The same from `offset`, by pread(2).
    package func read(at offset: Int, upTo limit: Int) throws(Errno) -> [UInt8] {
        try unsafe filled(limit, false) { buffer, count in
            unsafe pread(raw, buffer.baseAddress, buffer.count, off_t(offset + count))
        }
    }

    /// How many bytes are made room for at first: a limit may be far more than the file has.
    private static let firstRoom = 1 << 20

    /// Repeats a call that may read less than it could, as read(2) does on some file systems and after a signal, until
    /// it reads nothing. `call` gets the rest of the buffer, and the number of bytes that it has.
    private func filled(
        _ limit: Int, _ waits: Bool, by call: (UnsafeMutableRawBufferPointer, Int) -> Int
    ) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, Self.firstRoom))
        var filled = 0
        while filled < limit {
            if filled == bytes.count { bytes += bytes.prefix(limit - filled) }
            let count: Int
            do throws(Errno) {
                count = try Errno.retry {
                    // The buffer outlives the call, which gets no more than its rest.
                    unsafe bytes.withUnsafeMutableBytes { buffer in
                        unsafe call(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), filled)
                    }
                }
            } catch .wouldBlock where waits {
                var watched = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                // One record.
                _ = try Errno.retry { unsafe poll(&watched, 1, -1) }
                continue
            }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
