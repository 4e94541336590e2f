package import FileNames
package import FoundationEssentials
package import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// Changes not yet recorded in the Library, in order, with at most one entry per file: the latest.
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
    /// The index of a file's entry in `changes`, plus `dropped`.
    private var places: [InboxPath: Int] = [:]
    private var head = 0
    private var dropped = 0

    var isEmpty: Bool { places.isEmpty }

    /// Where the next entry will be; `next` can stop there.
    var end: Int { dropped + changes.count }

    func contains(_ path: InboxPath) -> Bool { places[path] != nil }

    mutating func append(_ arrival: Arrival) { append(.arrived(arrival)) }

    /// Needed even for a file whose arrival was never recorded: an earlier run may have recorded it.
    mutating func append(gone path: InboxPath) { append(.gone(path)) }

    /// Inserts arrivals before all entries. If both name a file, the existing entry stays.
    mutating func prepend(_ arrivals: [Arrival]) {
        let later = changes[head...]
        self = ChangeList()
        for arrival in arrivals { append(arrival) }
        for change in later { if let change { append(change) } }
    }

    /// Removes up to `limit` entries of one kind from the front; nil if there are none before `end`.
    mutating func next(limit: Int, before end: Int) -> Batch? {
        var arrivals: [Arrival] = []
        var gone: [InboxPath] = []
        while head < end - dropped, arrivals.count + gone.count < limit {
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
        // Amortized: each entry is moved a constant number of times.
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

/// The Library, as used by the Inbox. An error of any call ends the Inbox.
package protocol InboxLedger: Sendable {
    /// The files recorded directly in one folder (nil: the inbox's root), in any state.
    func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity]

    /// The same as digests, for comparison with a whole folder.
    func knownFolder(_ folder: InboxPath?) async throws -> KnownFolder

    /// Of the files with these keys: those that are still recorded in the inbox.
    func known(_ files: ArraySlice<Int64>) async throws -> [InboxPath: FileIdentity]

    /// The folders of all recorded files (nil: the inbox's root).
    func knownFolders() async throws -> [InboxPath?]

    /// For files with new names: the names under which the same bytes were recorded, if any.
    func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath]

    /// Records arrivals, in this order. A file recorded with the same identity keeps its state and takes a changed
    /// name. Returns how many more files are waiting now.
    func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath]) async throws -> Int

    /// Records that these files left the inbox, and returns those in progress, of which nothing is recorded.
    ///
    /// - Parameter isLogged: whether their removal is in the log already.
    func forget(_ paths: [InboxPath], isLogged: Bool, at date: Date) async throws -> [InboxPath]

    /// Adopts the rules for names to ignore. If their text differs from that of the last call, ignored files are
    /// forgotten, so that a scan checks them again, and files that `isIgnored` names leave the inbox as if others had
    /// removed them.
    ///
    /// - Returns: as `forget`.
    func adoptIgnoreRules(
        _ rules: String, isIgnored: @escaping @Sendable (InboxPath) -> Bool, progress: @Sendable () -> Void
    ) async throws -> [InboxPath]

    /// The folder that this path led to when the inbox was last read, if any.
    func inboxPlace(at path: FilePath) async throws -> DirectoryIdentity?

    /// Up to `limit` files that should be in the inbox, latest first.
    func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity]

    /// Records the inbox's folder and moves the files of the `renumbered` devices to its device. If it is another
    /// folder, the files of the previous one do not count as removed.
    func recordInbox(
        _ place: DirectoryIdentity, at path: FilePath, renumbered devices: Set<UInt64>, isAnother: Bool
    ) async throws

    /// Records whether the whole inbox is being read.
    func setScanning(_ scanning: Bool) async throws
}

extension Library: InboxLedger {}
