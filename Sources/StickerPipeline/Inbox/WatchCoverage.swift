import SystemPackage

/// What the kernel's notifications cannot be trusted to tell of, and since when: then the inbox is polled as well.
///
/// A probe that makes a file and waits for its event would show nothing: a network file system tells of what this
/// machine does, and keeps quiet about what others do. So the kind of the file system decides; and where a rescan finds
/// what should have been told of, that decides too, whatever the kind.
struct WatchCoverage {
    /// Attributes of a file that another machine writes to may be as old as this: NFS keeps them for three seconds.
    private static let remoteStillness = 5.0

    /// What was said to people.
    private var said: String?
    var mode = WatchMode.auto
    /// The kind of a file system whose files change without notice.
    var silent: String?
    /// Why the kernel gave no watch for some folder.
    var refused: Errno?
    /// A file came that no event told of.
    var wasDeaf = false

    /// One line for a person, or nil where events tell of everything.
    var gap: String? {
        switch mode {
        case .polling: "watch.mode is \"polling\""
        case .inotify: nil
        case .auto:
            if let refused {
                "the kernel refuses to watch (\(refused)); \(InboxError.cure(for: refused))"
            } else if let silent {
                "\(silent) does not tell of what others write"
            } else if wasDeaf {
                "a file came that the kernel did not tell of"
            } else {
                nil
            }
        }
    }

    var isPolled: Bool { gap != nil }

    /// How long a file must be still that nobody will call finished.
    func stillness(atLeast seconds: Double) -> Duration {
        .seconds(silent == nil ? seconds : max(seconds, Self.remoteStillness))
    }

    /// Whether `gap` is another than when this was called last.
    mutating func isNews() -> Bool {
        defer { said = gap }
        return said != gap
    }
}
