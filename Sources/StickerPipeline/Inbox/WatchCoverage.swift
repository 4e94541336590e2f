package import SystemPackage

/// What the kernel's notifications cannot be trusted to tell of, and since when: then the inbox is polled as well.
///
/// A probe that makes a file and waits for its event would show nothing: a network file system tells of what this
/// machine does, and keeps quiet about what others do. So the kind of the file system decides; and where a rescan finds
/// what should have been told of, that decides too, whatever the kind.
package struct WatchCoverage: Sendable {
    /// Attributes of a file that another machine writes to may be as old as this: NFS keeps them for three seconds.
    private static let remoteStillness = 5.0

    /// Who makes a file often takes a while to fill it.
    private static let emptyStillness = 10.0

    /// What was said to people.
    private var said: String?
    /// The setting.
    package var mode = WatchMode.auto
    /// The kind of a file system whose files change without notice.
    package var silent: String?
    /// Why the kernel gave no watch for some folder.
    package var refused: Errno?
    /// A file came that no event told of.
    package var wasDeaf = false

    package init() {}

    /// One line for a person, or nil where events tell of everything.
    package var gap: String? {
        switch mode {
        case .polling: "watch.mode is \"polling\""
        case _ where refused != nil:
            "the kernel refuses to watch; \(InboxError.cure(for: refused))"
        case .inotify: nil
        case .auto:
            if let silent {
                "\(silent) does not tell of what others write"
            } else if wasDeaf {
                "a file came that the kernel did not tell of"
            } else {
                nil
            }
        }
    }

    /// Who asks for inotify alone gets nothing else.
    package var isPolled: Bool { gap != nil && mode != .inotify }

    /// How long a file must be still that nobody will call finished.
    package func stillness(atLeast seconds: Double, isEmpty: Bool = false) -> Duration {
        .seconds(max(seconds, silent == nil ? 0 : Self.remoteStillness, isEmpty ? Self.emptyStillness : 0))
    }

    /// `gap` is another than was said last.
    package var hasNews: Bool { said != gap }

    /// Whether `gap` is another than when this was called last.
    package mutating func isNews() -> Bool {
        defer { said = gap }
        return hasNews
    }
}
