/// How the Inbox learns of changes.
package enum WatchMode: String, CaseIterable, Sendable {
    /// From the kernel; by polling too where the kernel cannot tell of everything.
    case auto
    /// From the kernel alone, but for the safety rescans.
    case inotify
    /// By looking, again and again.
    case polling
}
