package import FileNames
import Glibc
import LinuxIO
package import SystemPackage

/// What the Inbox watches, and how long files must settle.
package struct InboxRules: Sendable, Equatable {
    /// Whether subfolders are watched.
    package var recursive: Bool
    /// How long a file must stay unchanged to be ready if no close event is expected.
    package var settleSeconds: Double
    /// How long a file must stay unchanged to be ready if it was written to and not closed.
    package var abandonedSeconds: Double
    /// The interval of full rescans, which find what events missed.
    package var rescanSeconds: Double
    /// Shell patterns (fnmatch(3), where `*` also matches a leading dot) for the names of files and folders. A name
    /// that matches one with `!` before it is not ignored.
    ///
    /// The letters A to Z match in either case: Windows, cameras and network shares do not preserve it, so that one
    /// program's files are `Thumbs.db` and `thumbs.db`, and one camera's `.THM` and `.thm`. Other letters match
    /// exactly: names are bytes in an unknown encoding.
    package var ignorePatterns: [String]

    /// Folders that are never read, wherever a mount shows them.
    package var ownFolders: [OwnFolder] = []
    package var mode = WatchMode.auto
    /// The shortest and the longest time between two polls.
    package var pollSeconds: ClosedRange<Double>
    /// How long all files must be missing until they count as removed.
    package var emptySeconds: Double

    package init(
        recursive: Bool, settleSeconds: Double, rescanSeconds: Double, ignorePatterns: [String],
        pollSeconds: ClosedRange<Double> = 2...60, emptySeconds: Double = 600, abandonedSeconds: Double = 600
    ) {
        self.recursive = recursive
        self.settleSeconds = settleSeconds
        self.rescanSeconds = rescanSeconds
        self.ignorePatterns = ignorePatterns
        self.pollSeconds = pollSeconds
        self.emptySeconds = emptySeconds
        self.abandonedSeconds = abandonedSeconds
    }

    /// Text that is equal for rules that ignore the same names.
    var ignoreIdentity: String { "A-Z\n" + ignorePatterns.joined(separator: "\n") }

    /// Why a name is ignored, or nil.
    package func reasonToIgnore(_ name: [UInt8]) -> String? {
        pattern(for: name).map { "the name matches the ignore pattern \"\($0)\" of watch.ignore" }
    }

    /// Why a file or folder in the inbox is ignored, for its own name or that of a folder above it; nil if it is not.
    package func reasonToIgnore(_ path: InboxPath) -> String? {
        var folder = path.folder
        while let path = folder {
            if let pattern = pattern(for: path.name) {
                return "the folder \"\(path.fileName)\" matches the ignore pattern \"\(pattern)\" of watch.ignore"
            }
            folder = path.folder
        }
        return reasonToIgnore(path.name)
    }

    /// The deepest level of folders that is read: opening one takes a call per level.
    private static let maxDepth = 64
    /// The longest path that the kernel accepts (PATH_MAX without the NUL).
    private static let maxPathBytes = 4095

    /// Why a folder is not read although its name is not ignored; nil if it is read.
    package static func reasonToLeaveOut(_ folder: InboxPath, of inbox: FilePath) -> String? {
        folder.depth > maxDepth
            ? "it is more than \(maxDepth) levels deep; move it up" : reasonIfTooLong(folder, in: inbox)
    }

    /// Why the kernel refuses the path of a file or folder; nil if it accepts it.
    static func reasonIfTooLong(_ path: InboxPath, in inbox: FilePath) -> String? {
        guard inbox.bytes.count + 1 + path.bytes.count > maxPathBytes else { return nil }
        return "its path is longer than \(maxPathBytes) bytes; shorten it"
    }

    private func pattern(for name: [UInt8]) -> String? {
        let name = name.map { CChar(bitPattern: $0) } + [0]
        let matches = { (pattern: String) in
            // Both strings end with NUL and outlive the call.
            unsafe fnmatch(pattern, name, Self.matchesBothCases) == 0
        }
        guard let pattern = ignorePatterns.first(where: { !$0.hasPrefix("!") && matches($0) }),
            !ignorePatterns.contains(where: { $0.hasPrefix("!") && matches(String($0.dropFirst())) })
        else { return nil }
        return pattern
    }

    /// FNM_CASEFOLD, an extension of GNU that the module lacks. In the locale "C", which stickerd does not leave, it
    /// folds A to Z only.
    private static let matchesBothCases: Int32 = 1 << 4
}

/// How the Inbox learns of changes.
package enum WatchMode: String, CaseIterable, Sendable {
    /// By inotify, and by polling if inotify does not cover the whole inbox.
    case auto
    /// By inotify and full rescans only.
    case inotify
    /// By polling only.
    case polling
}

/// Why the Inbox waits or fails. It logs errors of single files and subfolders instead.
package struct InboxError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The inbox itself was moved, removed or unmounted.
        case gone
        /// An empty folder is in the inbox's place, usually the mount point of an unmounted disk.
        case another
        /// A folder that stickerd writes to is in the inbox's place.
        case own
        /// The inbox itself cannot be opened.
        case unreadable
        /// The kernel refuses a watch, or its events cannot be read.
        case unwatchable
    }

    package let code: Code
    package let folder: FilePath
    /// Nil for `.another` and `.own`.
    package let cause: Errno?

    package var description: String {
        let because = cause.map { " (\($0))" } ?? ""
        switch code {
        case .gone:
            return "\(folder): the inbox was moved, removed or unmounted; work resumes when it returns"
        case .another:
            return
                "\(folder): this folder is empty and not the previous inbox; mount the previous one, or drop a photo here "
                + "to use this one"
        case .own:
            return "\(folder): stickerd writes to this folder, which is mounted in the inbox's place; unmount it"
        case .unreadable:
            return "\(folder): the inbox cannot be opened\(because); "
                + (cause == .ioError
                    ? "see what sudo dmesg says about its disk"
                    : "check that it is a folder that stickerd can read")
        case .unwatchable:
            return "\(folder): the inbox cannot be watched\(because); \(Self.fix(for: cause))"
        }
    }

    /// Whether the inbox may return.
    var isAbsence: Bool { code != .unwatchable }

    /// The fix for a watch that the kernel refuses (inotify(7)).
    package static func fix(for cause: Errno?) -> String {
        switch cause {
        case .noSpace: "all inotify watches are in use: raise fs.inotify.max_user_watches with sysctl"
        case .tooManyOpenFiles: "all inotify instances are in use: raise fs.inotify.max_user_instances with sysctl"
        case .permissionDenied: "make it readable for the user that stickerd runs as"
        default: "check that it is a folder that stickerd can read"
        }
    }
}
