import FileNames
import PhotoLibrary

/// Changes not yet recorded in the Library, in order, with at most one entry per file: the latest.
struct ChangeList {
    /// A file, and its arrival; nil if it is gone.
    private typealias Change = (path: InboxPath, arrival: Arrival?)

    private var changes: [Change?] = []
    /// The index of a file's entry in `changes`, plus `dropped`.
    private var places: [InboxPath: Int] = [:]
    private var head = 0
    private var dropped = 0

    var isEmpty: Bool { places.isEmpty }

    /// Where the next entry will be; `next` can stop there.
    var end: Int { dropped + changes.count }

    func contains(_ path: InboxPath) -> Bool { places[path] != nil }

    mutating func append(_ arrival: Arrival) { append((arrival.path, arrival)) }

    /// Needed even for a file whose arrival was never recorded: an earlier run may have recorded it.
    mutating func append(gone path: InboxPath) { append((path, nil)) }

    /// Inserts arrivals before all entries. If both name a file, the existing entry stays.
    mutating func prepend(_ arrivals: [Arrival]) {
        let later = changes[head...]
        self = ChangeList()
        for arrival in arrivals { append(arrival) }
        for change in later { if let change { append(change) } }
    }

    /// Removes up to `limit` entries of one kind from the front; nil if there are none before `end`. Of one kind,
    /// so that in a chain of renames (a to b, then c to a) b is recorded in an earlier batch than a: former names are
    /// looked up once for each batch.
    mutating func next(limit: Int, before end: Int) -> (arrivals: [Arrival], gone: [InboxPath])? {
        var (arrivals, gone): ([Arrival], [InboxPath]) = ([], [])
        while head < end - dropped, arrivals.count + gone.count < limit {
            if let (path, arrival) = changes[head] {
                guard arrival == nil ? arrivals.isEmpty : gone.isEmpty else { break }
                if let arrival { arrivals.append(arrival) } else { gone.append(path) }
                places[path] = nil
            }
            head += 1
        }
        // Amortized: each entry is moved a constant number of times.
        if head * 2 >= changes.count {
            changes.removeFirst(head)
            dropped += head
            head = 0
        }
        guard !arrivals.isEmpty || !gone.isEmpty else { return nil }
        return (arrivals, gone)
    }

    private mutating func append(_ change: Change) {
        if let place = places[change.path] { changes[place - dropped] = nil }
        places[change.path] = dropped + changes.count
        changes.append(change)
    }
}

/// Events about whole folders, handled after those about files.
struct InboxNews {
    /// New folders. Complete ones were moved in: their files need not settle.
    var folders: [(path: InboxPath, isComplete: Bool)] = []
    /// Removed or moved away: their files may be gone.
    var goneFolders: Set<InboxPath> = []
    /// Events were lost: the whole inbox must be read.
    var rescan = false
    /// The inbox's path may lead to another folder now, or to none.
    var mustCheckPlace = false

    var isEmpty: Bool { folders.isEmpty && goneFolders.isEmpty && !rescan && !mustCheckPlace }
}
