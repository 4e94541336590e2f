package import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// What the Inbox needs of the Library. A throw from any of these ends the Inbox.
package protocol InboxLedger: Sendable {
    /// The files recorded directly in one folder (nil: the inbox's root), in any state.
    func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity]

    /// The folders of all recorded files (nil: the inbox's root).
    func knownFolders() async throws -> [InboxPath?]

    /// For files whose names are new: the name under which the same bytes were recorded, where there is one.
    func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath]

    /// Writes down what came in, in this order; what is recorded with the same identity stays as it is, but for its name
    /// where that has changed. Returns how many files are waiting now that were not before.
    func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath]) async throws -> Int

    /// These files are gone from the inbox.
    func forget(_ paths: [InboxPath]) async throws

    /// The folder that was the inbox at this path when it was last read; nil where there was none.
    func inboxPlace(at path: FilePath) async throws -> FolderPlace?

    /// Up to `limit` files that should be in the inbox, the latest.
    func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity]

    /// The inbox is this folder from here on; files of the `renumbered` devices are on its device now. Those of another
    /// folder are not in this one, which says nothing about them.
    func adopt(
        _ place: FolderPlace, at path: FilePath, renumbered devices: Set<UInt64>, isAnother: Bool
    ) async throws

    /// Whether the inbox is being read from end to end.
    func setScanning(_ scanning: Bool) async throws
}

extension PhotoLibrary: InboxLedger {}
