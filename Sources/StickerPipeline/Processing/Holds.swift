import PhotoLibrary

/// What the world refused a moment ago: the photos that need it wait, the others go on.
struct Holds {
    /// Who has to wait.
    enum Cause: Hashable {
        /// Photos of a pack whose folder cannot be written.
        case pack(ExactName)
        /// One photo, by the Library's key of its file, that cannot be read.
        case photo(Int64)
        /// One photo, by the same key, whose file is leased to another process.
        case leased(Int64)
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
    /// The most leased photos held individually; beyond this all are held, because each claim names every held photo.
    static let maxLeased = 256
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
        Set(
            current.compactMap { cause in
                switch cause {
                case .photo(let file), .leased(let file): file
                default: nil
                }
            })
    }

    /// Nobody is to try anything right now.
    var holdsAll: Bool { current.contains { [.inbox, .shortage, .space, .outbox].contains($0) } }

    /// The cause to record for one photo; if too many are affected, the inbox.
    func cause(of cause: Cause) -> Cause {
        guard holds[cause] == nil else { return cause }
        switch cause {
        case .photo:
            let photos = holds.keys.count { if case .photo = $0 { true } else { false } }
            return photos >= Self.maxPhotos ? .inbox : cause
        case .leased:
            let leased = holds.keys.count { if case .leased = $0 { true } else { false } }
            return leased >= Self.maxLeased ? .inbox : cause
        default: return cause
        }
    }

    private var current: [Cause] { holds.filter { $0.value.end > .now }.map(\.key) }

    /// Forgets what was not tried again since then, though its time had come, and returns it.
    mutating func forget(endedBefore limit: ContinuousClock.Instant) -> [Cause] {
        let forgotten = holds.filter { $0.value.end < limit }.map(\.key)
        for cause in forgotten { holds[cause] = nil }
        return forgotten
    }
}
