import Synchronization

/// How far a backlog of photos is, and how long the rest will take.
package struct Backlog: Sendable {
    private var start: (time: ContinuousClock.Instant, ended: Int)?
    /// Photos finished since the backlog began.
    private var done = 0
    private var waiting = 0

    /// A smaller number of photos is no backlog.
    private static let least = 3

    package init() {}

    /// Records the counts. A backlog begins with several photos that wait, and ends when none is left.
    ///
    /// - Parameters:
    ///   - waiting: photos that are waiting or in progress.
    ///   - ended: photos whose work has ended, ever.
    ///   - now: the current time.
    package mutating func update(waiting: Int, ended: Int, now: ContinuousClock.Instant = .now) {
        if waiting == 0 {
            self = Backlog()
        } else if let start {
            (done, self.waiting) = (max(0, ended - start.ended), waiting)
        } else if waiting >= Self.least {
            (start, done, self.waiting) = ((now, ended), 0, waiting)
        }
    }

    /// Records that a photo is finished, before the next counts.
    package mutating func finish() {
        guard start != nil else { return }
        done += 1
        waiting = max(0, waiting - 1)
    }

    /// Whether enough photos wait to be a backlog. One that is held for long does not keep it under way.
    package var isUnderWay: Bool { start != nil && waiting >= Self.least }

    /// `180/500, 40 s left`; nil without a backlog. The rest is estimated once a photo is finished.
    package func text(now: ContinuousClock.Instant = .now) -> String? {
        guard let start, waiting > 0 else { return nil }
        let count = "\(done)/\(done + waiting)"
        guard done > 0 else { return count }
        let elapsed = start.time.duration(to: now) / .seconds(1)
        return "\(count), \(Self.duration(Int((elapsed / Double(done) * Double(waiting)).rounded(.up)))) left"
    }

    /// `40 s`, `3 min`, `2 h 5 min`.
    private static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<100: "\(seconds) s"
        case ..<6000: "\((seconds + 30) / 60) min"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
}

/// The backlog as the `Reporter` counts it, for the log's handler.
package final class SharedBacklog: Sendable {
    /// That of this process.
    package static let ofProcess = SharedBacklog()

    /// The shortest time between two lines.
    private static let interval = Duration.seconds(10)

    private struct State {
        var backlog = Backlog()
        var lastLine = (time: ContinuousClock.now, ended: -1)
    }

    private let state = Mutex(State())

    package init() {}

    /// Records the counts as `Backlog.update`. Returns its text if a log line is due: every ten seconds at most, and
    /// only if photos were finished since the last one.
    package func update(waiting: Int, ended: Int, now: ContinuousClock.Instant = .now) -> String? {
        state.withLock { state in
            state.backlog.update(waiting: waiting, ended: ended, now: now)
            let last = state.lastLine
            guard let text = state.backlog.text(now: now), last.ended != ended,
                last.time.duration(to: now) >= Self.interval
            else { return nil }
            state.lastLine = (now, ended)
            return text
        }
    }

    var isUnderWay: Bool { state.withLock(\.backlog.isUnderWay) }
}
