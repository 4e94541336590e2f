package import LinuxIO

/// One file that the inbox found ready, or decided not to look at.
package struct Arrival: Sendable {
    package enum Verdict: Sendable {
        /// Whole: it goes into the queue.
        case ready
        /// `reason` is one line for a person.
        case ignored(reason: String)
    }

    package let path: InboxPath
    /// As it was when this was decided.
    package let identity: FileIdentity
    package let verdict: Verdict

    package init(path: InboxPath, identity: FileIdentity, verdict: Verdict) {
        self.path = path
        self.identity = identity
        self.verdict = verdict
    }
}
