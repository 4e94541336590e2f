package import FileNames

/// Maps watches to folders of the inbox and back. The inbox's root is the empty path.
struct WatchTable {
    private var folders: [Int32: InboxPath] = [:]
    private var watches: [InboxPath: Int32] = [:]

    func folder(of watch: Int32) -> InboxPath? { folders[watch] }

    func watch(of folder: InboxPath) -> Int32? { watches[folder] }

    var allFolders: some Collection<InboxPath> { watches.keys }

    /// The kernel returns the same watch for a folder that was renamed, so this may move an entry.
    mutating func insert(_ folder: InboxPath, _ watch: Int32) {
        if let former = folders[watch], former != folder { watches[former] = nil }
        if let former = watches[folder], former != watch { folders[former] = nil }
        folders[watch] = folder
        watches[folder] = watch
    }

    mutating func remove(_ watch: Int32) {
        guard let folder = folders.removeValue(forKey: watch) else { return }
        watches[folder] = nil
    }

    /// Removes a folder and all below it.
    mutating func removeTree(_ top: InboxPath) -> [(folder: InboxPath, watch: Int32)] {
        let removed = watches.filter { $0.key == top || $0.key.isBelow(top) }
        for (folder, watch) in removed {
            watches[folder] = nil
            folders[watch] = nil
        }
        return removed.map { ($0.key, $0.value) }
    }
}

extension InboxPath {
    package static let root = InboxPath(bytes: [])

    /// The number of its components.
    var depth: Int { self == .root ? 0 : bytes.count { $0 == UInt8(ascii: "/") } + 1 }

    /// Whether this is inside `folder`, at any depth.
    package func isBelow(_ folder: InboxPath) -> Bool {
        if folder == .root { return self != .root }
        return bytes.count > folder.bytes.count && bytes[folder.bytes.count] == UInt8(ascii: "/")
            && bytes.starts(with: folder.bytes)
    }
}
