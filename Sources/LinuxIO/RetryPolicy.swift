/// How long to wait before the next try of something that the system refuses for a while. All such numbers are here.
package struct RetryPolicy: Sendable {
    let first: Duration
    package let longest: Duration
    /// Each wait is multiplied by a random factor of this range, so that tries which failed together do not come back
    /// together.
    let jitter: ClosedRange<Double>

    private init(_ first: Duration, upTo longest: Duration, jitter: ClosedRange<Double> = 0.8...1.2) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// Photos, their packs and folders, workers: anything that another process or the disk may refuse.
    package static let standard = RetryPolicy(.seconds(1), upTo: .seconds(60))
    /// A transaction: calls of the Library wait behind each other, so this one starts sooner.
    package static let library = RetryPolicy(.milliseconds(200), upTo: .seconds(10), jitter: 1...1)
    /// A folder that is away: looking for it costs one stat(2), in case that no event reports its mount.
    package static let folderAway = RetryPolicy(.seconds(2), upTo: .seconds(2), jitter: 1...1)
    /// A pack's index that the outbox refused.
    package static let packIndex = RetryPolicy(.seconds(5), upTo: .seconds(5), jitter: 1...1)
    /// A pack's archive that found no room on the disk: large, and the least urgent.
    package static let packArchive = RetryPolicy(.seconds(60), upTo: .seconds(60), jitter: 1...1)
    /// A worker that ended soon after its start.
    package static let workerRestart = RetryPolicy(.seconds(1), upTo: .seconds(1), jitter: 1...1)
}

/// The waits of one series of tries: each twice as long as the one before, up to the policy's longest.
package struct Backoff: Sendable {
    private let policy: RetryPolicy
    private var length: Duration?

    package init(_ policy: RetryPolicy = .standard) {
        self.policy = policy
    }

    /// No try has failed yet.
    package var isFresh: Bool { length == nil }

    /// The wait after a try that failed.
    package mutating func next() -> Duration {
        let length = length.map { min($0 * 2, policy.longest) } ?? policy.first
        self.length = length
        return policy.jitter == 1...1 ? length : length * Double.random(in: policy.jitter)
    }
}
