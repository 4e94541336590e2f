import PhotoLibrary

/// What the world refused a moment ago: the photos that need it wait, the others go on.
struct Holds {
    /// Who has to wait.
    enum Cause: Hashable {
        /// Photos of a pack whose folder cannot be written.
        case pack(ExactName)
        /// One photo, by the Library's key of its file, that cannot be read.
        case photo(Int64)
        /// Everybody: too many photos cannot be read.
        case inbox
        /// Everybody: memory, descriptors or threads are short.
        case shortage
        /// Everybody: the disk is nearly full.
        case space
        /// Everybody: the outbox is away.
        case outbox
    }

    private struct Hold {
        var backoff = Backoff()
        var end = ContinuousClock.now
    }

    /// Beyond so many photos that cannot be read it is the disk, and no use to try one after the other.
    static let maxPhotos = 16
    /// What was not tried again for so long after its time is no longer there.
    static let forgottenAfter = Duration.seconds(300)

    private var holds: [Cause: Hold] = [:]

    /// Something was refused. Returns how long to wait, or nil where that is being waited for already.
    mutating func refuse(_ cause: Cause) -> (length: Duration, isFirst: Bool)? {
        var hold = holds[cause] ?? Hold()
        guard hold.backoff.isFresh || hold.end <= .now else { return nil }
        let isFirst = hold.backoff.isFresh
        let length = hold.backoff.next()
        hold.end = .now.advanced(by: length)
        holds[cause] = hold
        return (length, isFirst)
    }

    /// What was refused works now. True where it did not before.
    mutating func accept(_ cause: Cause) -> Bool { holds.removeValue(forKey: cause) != nil }

    /// Packs that are held right now.
    var packs: Set<ExactName> {
        Set(current.compactMap { if case .pack(let pack) = $0 { pack } else { nil } })
    }

    /// Files of photos that are held right now.
    var photos: Set<Int64> {
        Set(current.compactMap { if case .photo(let file) = $0 { file } else { nil } })
    }

    /// Nobody is to try anything right now.
    var holdsAll: Bool { current.contains { [.inbox, .shortage, .space, .outbox].contains($0) } }

    /// What one photo's reading trouble counts as.
    func cause(ofPhoto file: Int64) -> Cause {
        let known = holds.keys.filter { if case .photo = $0 { true } else { false } }
        return known.count >= Self.maxPhotos && holds[.photo(file)] == nil ? .inbox : .photo(file)
    }

    private var current: [Cause] { holds.filter { $0.value.end > .now }.map(\.key) }

    /// Forgets what was not tried again since then, though its time had come, and returns it.
    mutating func forget(endedBefore limit: ContinuousClock.Instant) -> [Cause] {
        let forgotten = holds.filter { $0.value.end < limit }.map(\.key)
        for cause in forgotten { holds[cause] = nil }
        return forgotten
    }
}
