package import LinuxIO
package import PhotoLibrary

/// What the Inbox needs of the Library. A throw from any of these ends the Inbox.
package protocol InboxLedger: Sendable {
    /// The files recorded directly in one folder (nil: the inbox's root), in any state.
    func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity]

    /// Writes down what came in, in this order; what is recorded with the same identity stays as it is. Returns how
    /// many files are waiting now that were not before.
    func record(_ arrivals: [Arrival]) async throws -> Int

    /// These files are gone from the inbox.
    func forget(_ paths: [InboxPath]) async throws

    /// Whether the inbox is being read from end to end.
    func setScanning(_ scanning: Bool) async throws
}

extension PhotoLibrary: InboxLedger {}
