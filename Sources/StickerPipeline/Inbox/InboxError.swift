package import SystemPackage

/// Why the Inbox waits, or cannot go on. What is wrong with one file or subfolder is neither.
package struct InboxError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Equatable {
        private enum Value: Sendable { case gone, another, unreadable, unwatchable }
        private let value: Value

        /// The inbox itself was moved, removed or unmounted.
        package static let gone = Code(value: .gone)
        /// An empty folder is where the inbox was: what lies under a mount point, most often.
        package static let another = Code(value: .another)
        /// The inbox itself cannot be opened.
        package static let unreadable = Code(value: .unreadable)
        /// The kernel refuses to watch.
        package static let unwatchable = Code(value: .unwatchable)
    }

    package let code: Code
    package let folder: FilePath
    /// What the system says; nil where another folder is in the inbox's place.
    package let cause: Errno?

    package var description: String {
        let because = cause.map { " (\($0))" } ?? ""
        switch code {
        case .gone:
            return "\(folder): the inbox was moved, removed or unmounted; work goes on when it is back"
        case .another:
            return
                "\(folder): this folder is empty and not the one that was the inbox before; work goes on when that is "
                + "back (is it mounted?), or when the first photo is put into this one"
        case .unreadable:
            return "\(folder): the inbox cannot be opened\(because); make it a folder that stickerd may read"
        default:
            return "\(folder): the inbox cannot be watched\(because); \(Self.cure(for: cause))"
        }
    }

    /// Whoever waits may see the inbox come back.
    var isAbsence: Bool { code != .unwatchable }

    /// What helps against a watch that the kernel refuses (inotify(7)).
    static func cure(for cause: Errno?) -> String {
        switch cause {
        case .noSpace: "all inotify watches are in use: raise fs.inotify.max_user_watches with sysctl"
        case .tooManyOpenFiles: "all inotify instances are in use: raise fs.inotify.max_user_instances with sysctl"
        default: "make it a folder that stickerd may read"
        }
    }
}
