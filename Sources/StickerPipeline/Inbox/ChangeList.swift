import PhotoLibrary

/// What the Library has still to be told, in order, at most one entry for each file: the latest.
struct ChangeList {
    enum Batch {
        case arrived([Arrival])
        case gone([InboxPath])
    }

    private enum Change {
        case arrived(Arrival)
        case gone(InboxPath)

        var path: InboxPath {
            switch self {
            case .arrived(let arrival): arrival.path
            case .gone(let path): path
            }
        }
    }

    private var changes: [Change?] = []
    /// Where in `changes` the entry of a file is, counted from the beginning of time.
    private var places: [InboxPath: Int] = [:]
    private var head = 0
    private var dropped = 0

    var isEmpty: Bool { places.isEmpty }

    func contains(_ path: InboxPath) -> Bool { places[path] != nil }

    mutating func append(_ arrival: Arrival) { append(.arrived(arrival)) }

    /// Also for files that were never told: whoever was, must hear it.
    mutating func append(gone path: InboxPath) { append(.gone(path)) }

    /// Puts arrivals before everything that is in the list; where both name a file, the list's entry stays.
    mutating func prepend(_ arrivals: [Arrival]) {
        let later = changes[head...]
        self = ChangeList()
        for arrival in arrivals { append(arrival) }
        for change in later { if let change { append(change) } }
    }

    /// Takes up to `limit` entries of one kind from the front, or nil when the list is empty.
    mutating func next(limit: Int) -> Batch? {
        var arrivals: [Arrival] = []
        var gone: [InboxPath] = []
        while head < changes.count, arrivals.count + gone.count < limit {
            switch changes[head] {
            case .arrived(let arrival) where gone.isEmpty: arrivals.append(arrival)
            case .gone(let path) where arrivals.isEmpty: gone.append(path)
            case nil: break
            default: return finish(arrivals, gone)
            }
            if let path = changes[head]?.path { places[path] = nil }
            head += 1
        }
        return finish(arrivals, gone)
    }

    private mutating func finish(_ arrivals: [Arrival], _ gone: [InboxPath]) -> Batch? {
        // Half the array at a time: constant cost for each entry.
        if head * 2 >= changes.count {
            changes.removeFirst(head)
            dropped += head
            head = 0
        }
        if !arrivals.isEmpty { return .arrived(arrivals) }
        return gone.isEmpty ? nil : .gone(gone)
    }

    private mutating func append(_ change: Change) {
        if let place = places[change.path] { changes[place - dropped] = nil }
        places[change.path] = dropped + changes.count
        changes.append(change)
    }
}
