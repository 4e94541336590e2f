package import LinuxIO

/// One file that the inbox found ready, or decided not to look at.
package struct Arrival: Sendable {
    package enum Verdict: Sendable {
        case ready
        case ignored(reason: String)
    }

    package let path: InboxPath
    package let identity: FileIdentity
    package let verdict: Verdict

    package init(path: InboxPath, identity: FileIdentity, verdict: Verdict) {
        self.path = path
        self.identity = identity
        self.verdict = verdict
    }
}
