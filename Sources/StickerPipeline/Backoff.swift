/// How long to wait before the next try: each time twice as long as before, up to a limit, give or take a fifth, so that
/// many who met the same trouble do not come back at once.
struct Backoff {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)
    private static let jitter = 0.8...1.2

    private var length: Duration?

    /// No wait was asked for since the beginning.
    var isFresh: Bool { length == nil }

    mutating func next() -> Duration {
        let length = length.map { min($0 * 2, Self.longest) } ?? Self.first
        self.length = length
        return length * Double.random(in: Self.jitter)
    }
}
