package import SystemPackage

/// Why the Inbox cannot go on. What is wrong with one file or subfolder never ends it.
package struct InboxError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Equatable {
        private enum Value: Sendable { case gone, unreadable, unwatchable }
        private let value: Value

        /// The inbox itself was moved, removed or unmounted.
        package static let gone = Code(value: .gone)
        /// The inbox itself cannot be opened.
        package static let unreadable = Code(value: .unreadable)
        /// The kernel refuses to watch.
        package static let unwatchable = Code(value: .unwatchable)
    }

    package let code: Code
    package let folder: FilePath
    package let cause: Errno?

    package var description: String {
        let because = cause.map { " (\($0))" } ?? ""
        switch code {
        case .gone:
            return "\(folder): the inbox was moved, removed or unmounted; put it back and start stickerd again"
        case .unreadable:
            return "\(folder): the inbox cannot be opened\(because); make it a folder that stickerd may read"
        default:
            return "\(folder): the inbox cannot be watched\(because); \(Self.cure(for: cause))"
        }
    }

    /// What helps against a watch that the kernel refuses (inotify(7)).
    static func cure(for cause: Errno?) -> String {
        switch cause {
        case .noSpace: "raise fs.inotify.max_user_watches with sysctl"
        case .tooManyOpenFiles: "raise fs.inotify.max_user_instances with sysctl"
        default: "make it a folder that stickerd may read"
        }
    }
}
