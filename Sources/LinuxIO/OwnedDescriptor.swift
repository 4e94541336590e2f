import Glibc
package import SystemPackage

/// Owns one open descriptor and closes it when it goes out of scope; always close-on-exec.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// Borrowed: valid while this value lives. Give the value a name first; one that has none is closed before the
    /// call that uses its `raw`.
    package let raw: Int32

    /// Takes over `raw`, which nobody else may close from here on.
    package init(owning raw: Int32) {
        self.raw = raw
    }

    // close(2): the descriptor is gone even where close fails, so a second try could hit somebody else's.
    deinit { _ = close(raw) }

    /// Hands the open descriptor to the caller, who closes it.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }
}

extension OwnedDescriptor {
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

    /// Opens `name` in the open folder `folder`; a symbolic link in the last place is never followed (`ELOOP`).
    ///
    /// - Parameter name: bytes as the kernel gives them; a NUL inside is `EINVAL`.
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

    /// Opens a file some folders below `folder` for reading, following no symbolic link on the way.
    ///
    /// Never waits for a writer where the name is a FIFO; look at `FileStatus` before reading.
    /// - Parameter path: components with `/` between; `..` is `EINVAL`.
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
        var step = try OwnedDescriptor(opening: Array(first), in: folder, options: .directory)
        for name in names.dropFirst().dropLast() {
            step = try OwnedDescriptor(opening: Array(name), in: step.raw, options: .directory)
        }
        self = try OwnedDescriptor(opening: Array(last), in: step.raw, options: options)
    }

    /// Whether there is anything under this name; a dangling link counts as nothing.
    package static func exists(_ path: FilePath) -> Bool {
        // The platform string outlives the call.
        unsafe path.withPlatformString { unsafe access($0, F_OK) } == 0
    }
}

extension [UInt8] {
    /// Calls `body` with these bytes and a NUL behind them; `EINVAL` where there is a NUL among them.
    @safe func withCString<Value>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Value) throws(Errno) -> Value {
        guard !contains(0) else { throw .invalidArgument }
        let terminated = map { CChar(bitPattern: $0) } + [0]
        // The pointer stays inside `body`.
        return try unsafe terminated.withUnsafeBufferPointer { buffer throws(Errno) in
            guard let start = buffer.baseAddress else { throw .invalidArgument }
            return try unsafe body(start)
        }
    }
}
