import Glibc
import SystemPackage

/// Whether the person who runs the command may drop photos into the inbox.
struct CallerFacts: Sendable, Equatable {
    let user: String
    /// Of the inbox.
    let group: String
    /// Whether group members may write to the inbox.
    var isGroups: Bool
    var canDrop = true
    /// By the group database.
    var isMember = true
    /// Whether this session began after the user had become a member; true under sudo, where it cannot be seen.
    var isInSession = true
    /// Whether the command was started with sudo: an administrator need not drop photos.
    var isAdministrator = false
    /// The command that lets the caller write to the inbox, or enter the first closed folder above it.
    var grant = ""

    /// Nil for root without sudo, and if the inbox is missing.
    static func gather(inbox: FilePath) -> CallerFacts? {
        // No thread sets variables; getgrgid(3)'s entry is valid until the next look-up.
        let sudo = unsafe getenv("SUDO_UID").flatMap { unsafe UInt32(String(cString: $0)) }
        guard let user = geteuid() == 0 ? sudo : geteuid(), user != 0 else { return nil }
        let account = Account(user: user)
        let access = account.access(to: inbox, W_OK | X_OK)
        if access == .refused(.noSuchFileOrDirectory) { return nil }
        // Nil if a folder above is closed.
        let status = try? inbox.stat()
        let number = status?.groupID.rawValue ?? gid_t.max
        let group = unsafe getgrgid(number).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(number)"
        let barrier = FolderFacts.barrier(to: inbox, account)
        return CallerFacts(
            user: account.name, group: group, isGroups: status?.permissions.contains(.groupWrite) == true,
            canDrop: access == .allowed, isMember: account.groups.contains(number),
            isInSession: geteuid() == 0 || ([getegid()] + Account.current).contains(number),
            isAdministrator: geteuid() == 0,
            grant: Account.granting(
                barrier == nil ? "rwx" : "x", to: account.name, isOwner: account.owns(barrier ?? inbox),
                barrier ?? inbox))
    }

    var finding: Finding {
        if canDrop { return .ok("group", "\(user) may drop photos into the inbox") }
        let text = "\(user) may not drop photos into the inbox"
        if isGroups, isMember, !isInSession {
            return .fault(
                "group", "\(text): \(user) is in the group \(group), but this session is older than that",
                cure: "log out and in again, or run: newgrp \(group)")
        }
        let cure =
            isGroups && !isMember ? "run: sudo adduser \(user) \(group), and log in again" : "run: \(grant)"
        let reason = isGroups && !isMember ? "\(text): \(user) is not in the group \(group)" : text
        return isAdministrator ? .note("group", reason, cure: cure) : .fault("group", reason, cure: cure)
    }
}
