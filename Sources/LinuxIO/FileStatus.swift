import CLinuxShims
import Glibc
package import SystemPackage

/// A result of stat(2): a file's type, and the identity of this version of it.
package struct FileStatus: Hashable, Sendable {
    package let kind: FileKind
    package let identity: FileIdentity

    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        var answer = stat()
        // `answer` outlives the call.
        _ = try Errno.retry { unsafe fstat(descriptor, &answer) }
        self.init(answer)
    }

    /// Of `name` in the open folder `folder`; does not follow symbolic links.
    package init(of name: [UInt8], in folder: Int32) throws(Errno) {
        var answer = stat()
        try name.withCString { name throws(Errno) in
            // Both pointers outlive the call.
            _ = try Errno.retry { unsafe fstatat(folder, name, &answer, AT_SYMLINK_NOFOLLOW) }
        }
        self.init(answer)
    }

    /// Of a file below the open folder `folder`, reached without following any symbolic link; the status of a link in its last
    /// component. An empty path is the folder itself.
    ///
    /// - Throws: `tooManySymbolicLinkLevels` or `notDirectory` if a link is in its way.
    package init(of path: [UInt8], beneath folder: Int32) throws(Errno) {
        let names = path.split(separator: UInt8(ascii: "/"))
        guard let last = names.last else {
            try self.init(ofDescriptor: folder)
            return
        }
        guard names.count > 1 else {
            try self.init(of: Array(last), in: folder)
            return
        }
        let parent = Array(names.dropLast().joined(separator: [UInt8(ascii: "/")]))
        // Needs no permission to read the folders.
        let step = try OwnedDescriptor(
            opening: parent, beneath: folder, options: [.directory, .init(rawValue: linux_o_path())])
        try self.init(of: Array(last), in: step.raw)
    }

    /// The same for a name that ends with NUL.
    @unsafe init(of name: UnsafePointer<CChar>, in folder: Int32) throws(Errno) {
        var answer = stat()
        // Both pointers outlive the call.
        _ = try Errno.retry { unsafe fstatat(folder, name, &answer, AT_SYMLINK_NOFOLLOW) }
        self.init(answer)
    }

    /// Of the path; does not follow a symbolic link in its last component.
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

    // Wrapping arithmetic: a forged time far outside the years 1678 to 2262 must not trap.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A file's type. The raw value completes "this is …" in messages.
package enum FileKind: String, Sendable {
    case regular = "a regular file"
    case folder = "a folder"
    case link = "a symbolic link"
    case fifo = "a FIFO"
    case socket = "a socket"
    /// A block or character device, or an unknown type.
    case device = "a device"

    init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            default: .device
            }
    }

    /// From readdir(3)'s `d_type`; nil if the file system does not set it.
    init?(entryType: UInt8) {
        switch Int(entryType) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .folder
        case Int(DT_LNK): self = .link
        case Int(DT_FIFO): self = .fifo
        case Int(DT_SOCK): self = .socket
        case Int(DT_CHR), Int(DT_BLK): self = .device
        default: return nil
        }
    }
}

/// Identifies one version of a file without reading it: equal identities mean unchanged bytes.
///
/// Every write, rename and permission change updates the inode change time, which processes cannot set, so a replaced
/// or edited file never keeps its identity. The exception is a mapped file: a write to a page that is dirty already
/// changes no time until the kernel writes it to the disk. `size` is in bytes; times are nanoseconds since 1970.
package struct FileIdentity: Hashable, Sendable, Codable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// Modification time, which processes may set (utimensat(2)).
    package let modified: Int64
    /// Inode change time.
    package let changed: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}

/// The clock that the kernel uses for file times.
package enum WallClock {
    /// Nanoseconds since 1970; jumps when the clock is set.
    package static var now: Int64 {
        var time = timespec()
        // `time` outlives the call; CLOCK_REALTIME cannot fail.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
