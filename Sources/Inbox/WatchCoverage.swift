import SystemPackage

/// Whether inotify covers the whole inbox. If it does not, the inbox is polled, too.
///
/// A probe that creates a file and waits for its event would prove nothing: network file systems report this machine's
/// changes, but not those of others. So the type of the file system decides, or a rescan that finds a file inotify
/// missed.
struct WatchCoverage: Sendable {
    /// Seconds. Longer than NFS caches the attributes of a file that another machine writes to (three seconds).
    private static let remoteStillness = 5.0

    /// Seconds. Longer than writers usually take from creating a file to its first byte.
    private static let emptyStillness = 10.0

    /// The last gap reported.
    private var reported: String?
    /// `watch.mode`.
    var mode = WatchMode.auto
    /// The name of a file system that does not report all changes.
    var silent: String?
    /// Why the kernel refused a watch.
    var refused: Errno?
    /// How many more scans in a row must find no file that inotify missed until events are trusted again.
    private var distrust = 0
    /// The distrust after such a file: the first time, about an hour of polls of a quiet inbox, then twice as many each
    /// time, so that the inbox of a file system that hides some changes is polled nearly always.
    private var nextDistrust = 64
    private static let maxDistrust = 1 << 20

    /// Whether a rescan found a file that inotify missed, and too few scans have found none since.
    var missedFile: Bool { distrust > 0 }

    /// Why inotify does not cover the whole inbox, in one line; nil if it does.
    var gap: String? {
        switch mode {
        case .polling: "watch.mode is \"polling\""
        case _ where refused != nil:
            "the kernel refused a watch; \(InboxError.fix(for: refused))"
        case .inotify: nil
        case .auto:
            silent.map { "\($0) does not report changes made elsewhere" }
                ?? (missedFile ? "a rescan found a file that inotify missed" : nil)
        }
    }

    /// Whether events should report all changes: at most a missed file has shown that they do not.
    var shouldBeComplete: Bool { mode != .polling && silent == nil && refused == nil }

    /// Records whether a scan found a file that inotify missed.
    mutating func noteScan(missedFile isMissed: Bool) {
        let wasMissed = missedFile
        distrust = isMissed ? nextDistrust : max(0, distrust - 1)
        // Polling ends.
        if wasMissed, !missedFile { nextDistrust = min(2 * nextDistrust, Self.maxDistrust) }
    }

    /// Whether the inbox is polled. With mode `inotify` it never is.
    var isPolled: Bool { gap != nil && mode != .inotify }

    /// How long a file must stay unchanged if no close event is expected.
    func stillness(atLeast seconds: Double, isEmpty: Bool = false) -> Duration {
        .seconds(max(seconds, silent == nil ? 0 : Self.remoteStillness, isEmpty ? Self.emptyStillness : 0))
    }

    /// Whether `gap` differs from the last one reported.
    var hasChanged: Bool { reported != gap }

    /// Whether `gap` differs from the last one reported. Marks it as reported.
    mutating func takeChange() -> Bool {
        defer { reported = gap }
        return hasChanged
    }
}

/// The time between two polls of the inbox: short while files arrive, and always many times as long as a poll takes.
struct PollingPace {
    private static let growth = 1.5
    /// The largest share of the time spent on polling.
    private static let share = 0.02

    private var seconds = 0.0

    /// - Parameters:
    ///   - scan: how long the last poll took.
    ///   - hasChanges: whether it found something new, or a file that has not settled.
    ///   - range: the bounds, in seconds; only a slow poll exceeds them.
    mutating func next(after scan: Duration, hasChanges: Bool, in range: ClosedRange<Double>) -> Duration {
        seconds = hasChanges ? range.lowerBound : min(max(seconds * Self.growth, range.lowerBound), range.upperBound)
        return max(.seconds(seconds), scan / Self.share)
    }
}
