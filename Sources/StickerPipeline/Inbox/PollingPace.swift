/// How long to wait between two looks at the inbox: the shorter, the livelier it is, and never so short that looking
/// becomes work of its own.
package struct PollingPace {
    private static let growth = 1.5
    /// A look takes at most this share of the time.
    private static let share = 0.02

    private var seconds = 0.0

    package init() {}

    /// - Parameters:
    ///   - scan: how long the look took.
    ///   - isLively: it found something new, or something that is still in the making.
    ///   - range: seconds; only a slow look makes a wait longer.
    package mutating func next(after scan: Duration, isLively: Bool, in range: ClosedRange<Double>) -> Duration {
        seconds = isLively ? range.lowerBound : min(max(seconds * Self.growth, range.lowerBound), range.upperBound)
        return max(.seconds(seconds), scan / Self.share)
    }
}
