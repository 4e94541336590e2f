import PhotoLibrary

/// What events say about whole folders, to be looked into once the events are through.
struct InboxNews {
    /// New in the inbox. Complete ones were moved in whole: their files are ready as they are.
    var folders: [(path: InboxPath, isComplete: Bool)] = []
    /// Removed or moved away: the files that were in them may be gone.
    var goneFolders: Set<InboxPath> = []
    /// Events were lost: everything has to be read.
    var rescan = false
    /// The inbox may be another folder than before, or gone.
    var placeInDoubt = false
    /// Files known for long may have to be judged anew.
    var rulesChanged = false

    var isEmpty: Bool { folders.isEmpty && goneFolders.isEmpty && !rescan && !placeInDoubt }
}
