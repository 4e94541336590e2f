import CLinuxShims
import Glibc
package import SystemPackage

/// A result of stat(2): a file's type, and the identity of this version of it.
package struct FileStatus: Hashable, Sendable {
    package let kind: FileKind
    package let identity: FileIdentity

    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        self.init(try Stat(FileDescriptor(rawValue: descriptor)))
    }

    /// Of `name` in the open folder `folder`; does not follow symbolic links.
    package init(of name: [UInt8], in folder: Int32) throws(Errno) {
        self = try name.withCString { name throws(Errno) in try unsafe FileStatus(of: name, in: folder) }
    }

    /// The same; nil if there is nothing of this name.
    package static func existing(_ name: [UInt8], in folder: Int32) throws(Errno) -> FileStatus? {
        do throws(Errno) {
            return try FileStatus(of: name, in: folder)
        } catch .noSuchFileOrDirectory, .notDirectory {
            return nil
        }
    }

    /// Of a file below the open folder `folder`, reached without following any symbolic link; the status of a link in
    /// its last component. An empty path is the folder itself.
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
        // The name outlives the call.
        self.init(try unsafe Stat(name, relativeTo: FileDescriptor(rawValue: folder), flags: .symlinkNoFollow))
    }

    /// Of the path; does not follow a symbolic link in its last component.
    package init(of path: FilePath) throws(Errno) { self.init(try path.stat(followTargetSymlink: false)) }

    private init(_ answer: Stat) {
        kind = FileKind(answer.type)
        identity = FileIdentity(
            device: UInt64(answer.rawValue.st_dev), inode: UInt64(answer.rawValue.st_ino), size: answer.size,
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

    init(_ type: FileType) {
        self =
            switch type {
            case .regular: .regular
            case .directory: .folder
            case .symbolicLink: .link
            case .fifo: .fifo
            case .socket: .socket
            default: .device
            }
    }

    /// From readdir(3)'s `d_type`; nil if the file system does not set it.
    init?(entryType: UInt8) {
        if Int(entryType) == Int(DT_UNKNOWN) { return nil }
        // As DTTOIF in <dirent.h>.
        self.init(FileType(rawValue: mode_t(entryType) << 12))
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

    /// The file, whatever was written to it.
    package var node: FileNode { FileNode(device: device, inode: inode) }

    /// Whether only the inode change time differs: a rename, a new link and new permissions change it, too. But a
    /// writer may have restored the modification time.
    package func seemsUnwritten(since other: FileIdentity) -> Bool {
        node == other.node && size == other.size && modified == other.modified
    }

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}

/// Identifies a file, whatever its names and contents: its inode on its file system.
package struct FileNode: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

    /// Of the file that the path leads to, through symbolic links, without opening it; nil if there is none.
    package init?(of path: FilePath) {
        guard let status = try? path.stat().rawValue else { return nil }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

/// The clock that the kernel uses for file times.
package enum WallClock {
    /// Whether a time server or the like keeps it right at present.
    package static var isSynchronized: Bool { linux_is_clock_synchronized() }

    /// Nanoseconds since 1970; jumps when the clock is set.
    package static var now: Int64 {
        var time = timespec()
        // `time` outlives the call; CLOCK_REALTIME cannot fail.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
