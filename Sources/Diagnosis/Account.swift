import Glibc
import LinuxIO
import SystemPackage

/// A user with groups, to ask the kernel what this user may do.
struct Account: Sendable, Equatable {
    let user: UInt32
    let groups: [UInt32]

    var name: String { Ownership.name(of: user) }

    /// With the groups that a process has.
    init(_ process: ProcessStatus) { (user, groups) = (process.user, process.groups) }

    /// With the groups that a new session would have.
    init(user: UInt32) {
        self.user = user
        // The entry stays valid until the next look-up.
        guard let entry = unsafe getpwuid(user) else {
            groups = []
            return
        }
        var found = [gid_t](repeating: 0, count: Self.maxGroups)
        var count = Int32(found.count)
        // Writes at most `count` groups. Returns -1 if there are more, having written those.
        _ = unsafe getgrouplist(entry.pointee.pw_name, entry.pointee.pw_gid, &found, &count)
        groups = Array(found.prefix(Int(count)))
    }

    /// The number of a user; nil if there is none of this name.
    static func user(named name: String) -> UInt32? {
        // The entry stays valid until the next look-up.
        unsafe getpwnam(name).map { unsafe $0.pointee.pw_uid }
    }

    /// The kernel's limit (setgroups(2)).
    private static let maxGroups = 65_536

    /// What a user may do with a file or folder.
    enum Access: Sendable, Equatable {
        case allowed
        case refused(Errno)
        /// Only root may ask for another user.
        case unknown
    }

    /// Asks the kernel, so that ACLs and the folders above count.
    ///
    /// - Parameter mode: of access(2).
    func access(to path: FilePath, _ mode: Int32) -> Access {
        if geteuid() == user { return Self.ask(path, mode) }
        guard geteuid() == 0 else { return .unknown }
        let (group, own) = (getegid(), Self.current)
        // All arguments outlive the calls. Root again at the end: real and saved user stay root's.
        guard unsafe setgroups(groups.count, groups) == 0 else { return .unknown }
        defer { _ = unsafe setgroups(own.count, own) }
        guard setegid(groups.first ?? gid_t.max - 1) == 0 else { return .unknown }
        defer { setegid(group) }
        guard seteuid(user) == 0 else { return .unknown }
        defer { seteuid(0) }
        return Self.ask(path, mode)
    }

    private static func ask(_ path: FilePath, _ mode: Int32) -> Access {
        // The string outlives the call.
        unsafe path.withPlatformString { unsafe faccessat(AT_FDCWD, $0, mode, AT_EACCESS) } == 0
            ? .allowed : .refused(Errno(rawValue: errno))
    }

    /// The command that gives a user rights to a file or folder. An ACL's entry for a user has no effect on the owner
    /// (acl(5)).
    ///
    /// - Parameter isDeep: whether also to all that is in the folder, now and later.
    static func granting(
        _ rights: String, to user: String, isOwner: Bool, isDeep: Bool = false, _ path: FilePath
    ) -> String {
        let (entry, word) = ("u:\(user):\(rights)", Ownership.shellWord(path.string))
        if isOwner { return "sudo chmod \(isDeep ? "-R " : "")u+\(rights) \(word)" }
        return "sudo setfacl \(isDeep ? "-R -m \(entry),d:\(entry)" : "-m \(entry)") \(word)"
    }

    /// Whether a file or folder belongs to it.
    func owns(_ path: FilePath) -> Bool { (try? path.stat())?.userID.rawValue == user }

    /// This process's supplementary groups.
    static var current: [gid_t] {
        var groups = [gid_t](repeating: 0, count: maxGroups)
        // Writes at most as many.
        return Array(groups.prefix(max(0, Int(unsafe getgroups(Int32(groups.count), &groups)))))
    }
}
