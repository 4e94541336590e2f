import Glibc
package import SystemPackage

/// One answer of stat(2): what it is, and which version of it.
package struct FileStatus: Hashable, Sendable {
    package let kind: FileKind
    package let identity: FileIdentity

    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        var answer = stat()
        // `answer` outlives the call.
        _ = try Errno.retry { unsafe fstat(descriptor, &answer) }
        self.init(answer)
    }

    /// Of `name` in the open folder `folder`; a symbolic link is described itself.
    package init(of name: [UInt8], in folder: Int32) throws(Errno) {
        var answer = stat()
        try name.withCString { name throws(Errno) in
            // Both pointers outlive the call.
            _ = try Errno.retry { unsafe fstatat(folder, name, &answer, AT_SYMLINK_NOFOLLOW) }
        }
        self.init(answer)
    }

    /// Of the path; a symbolic link in the last place is described itself.
    package init(of path: FilePath) throws(Errno) {
        var answer = stat()
        _ = try Errno.retry {
            // Both pointers outlive the call.
            unsafe path.withPlatformString { unsafe lstat($0, &answer) }
        }
        self.init(answer)
    }

    private init(_ answer: stat) {
        kind = FileKind(mode: answer.st_mode)
        identity = FileIdentity(
            device: UInt64(answer.st_dev), inode: UInt64(answer.st_ino), size: Int64(answer.st_size),
            modified: Self.nanoseconds(answer.st_mtim), changed: Self.nanoseconds(answer.st_ctim))
    }

    // A forged time far outside the years 1678 to 2262 must not trap.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
