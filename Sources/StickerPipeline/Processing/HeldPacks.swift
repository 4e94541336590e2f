/// Packs whose folder the outbox's disk refused a moment ago: their photos wait, those of other packs go on.
struct HeldPacks {
    private struct Hold {
        var length: Duration
        var end: ContinuousClock.Instant
    }

    /// First and longest time a pack is held; each is twice the one before.
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    private var holds: [String: Hold] = [:]

    /// The pack's folder could not be written. Returns how long to wait, or nil where it is held already.
    mutating func refuse(_ pack: String) -> (length: Duration, isFirst: Bool)? {
        let known = holds[pack]
        if let known, known.end > .now { return nil }
        let length = known.map { min($0.length * 2, Self.longest) } ?? Self.first
        holds[pack] = Hold(length: length, end: .now.advanced(by: length))
        return (length, known == nil)
    }

    /// The pack's folder could be written.
    mutating func accept(_ pack: String) {
        holds[pack] = nil
    }

    /// Those that are held right now.
    var packs: Set<String> {
        Set(holds.filter { $0.value.end > .now }.keys)
    }
}
