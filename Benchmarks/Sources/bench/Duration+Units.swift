extension Duration {
    /// Milliseconds, with fractions.
    var inMilliseconds: Double { self / .milliseconds(1) }

    /// Whole milliseconds, rounded down.
    var milliseconds: Int { Int(inMilliseconds.rounded(.down)) }

    var inSeconds: Double { self / .seconds(1) }
}
