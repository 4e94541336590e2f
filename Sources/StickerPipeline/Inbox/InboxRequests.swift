/// What others ask of an Inbox that waits for the kernel.
struct InboxRequests: Sendable {
    /// Somebody wants to know whether the loop still turns.
    var isAsked = false
    var rules: InboxRules?
}
