package import LinuxIO

/// A file taken from the queue: in state `processing` until it is finished, released or found gone.
package struct Claim: Sendable {
    /// The Library's key of the file.
    package let file: Int64
    /// As it was called when it was claimed; it may be renamed while it is in hand.
    package let path: InboxPath
    /// As the Inbox has recorded it; what is another file by now is not worked on.
    package let identity: FileIdentity
    /// Its place in the order of arrival.
    package let arrival: Int64
    /// How often work on it was begun and never ended, this time included.
    package let attempts: Int
    /// It may have stopped a worker or the daemon before: nothing else is to be in hand until it is finished.
    package let isSuspect: Bool

    /// The pack's name in the Library: '' for the root's.
    package var pack: String { path.pack ?? "" }
}
