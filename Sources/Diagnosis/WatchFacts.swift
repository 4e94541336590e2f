import Glibc
import LinuxIO
import SystemPackage

/// How many folders are watched by inotify(7), and how many may be.
struct WatchFacts: Sendable, Equatable {
    /// By the daemon; nil if this process may not look.
    var daemon: Int?
    /// By all processes whose watches the kernel counts together with the daemon's.
    var used = 0
    var limit: Int?

    private static let partBytes = 1 << 16
    /// From this part of the limit, in percent, a folder more may get no watch.
    private static let full = 95

    static func gather(daemon: Int32?) -> WatchFacts {
        var facts = WatchFacts()
        // A user namespace may have a lower limit than the machine.
        facts.limit = ["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"].compactMap {
            file in
            let text = (try? OwnedDescriptor(opening: FilePath(file)).read(upTo: 32)) ?? []
            return Int(String(decoding: text, as: UTF8.self).filter(\.isNumber))
        }.min()
        guard let daemon, let owner = owner(of: daemon) else { return facts }
        facts.daemon = watches(of: daemon)
        for process in ProcessStatus.numbers(in: "/proc") where Self.owner(of: process) == owner {
            facts.used += watches(of: process) ?? 0
        }
        return facts
    }

    /// The user whose limit a process's watches count against: its own, or, if it is in another user namespace, as a
    /// service with PrivateUsers= is, the user who made that, who is taken for root.
    private static func owner(of process: Int32) -> UInt32? {
        guard let status = try? ProcessStatus(of: process), let namespace = namespace(of: process) else { return nil }
        return namespace == Self.namespace(of: nil) ? status.user : 0
    }

    private static func namespace(of process: Int32?) -> UInt64? {
        let link = FilePath("/proc/\(process.map(String.init) ?? "self")/ns/user")
        return (try? link.stat()).map { UInt64($0.rawValue.st_ino) }
    }

    private static func watches(of process: Int32) -> Int? {
        let folder = FilePath("/proc/\(process)/fd")
        guard OwnedDescriptor.exists(folder), (try? OwnedDescriptor(opening: folder, options: .directory)) != nil else {
            return nil
        }
        return ProcessStatus.numbers(in: folder).reduce(0) { sum, descriptor in
            sum + watches(in: FilePath("/proc/\(process)/fdinfo/\(descriptor)"))
        }
    }

    /// By the lines of a file in /proc/PID/fdinfo. The kernel writes all of them before the first read: their number is
    /// limited as that of the watches is.
    static func watches(in file: FilePath) -> Int {
        guard let open = try? OwnedDescriptor(opening: file) else { return 0 }
        var (count, rest) = (0, [UInt8]())
        while let part = try? open.read(upTo: partBytes), !part.isEmpty {
            let lines = (rest + part).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            count += lines.dropLast().count { $0.starts(with: "inotify wd:".utf8) }
            rest = Array(lines.last ?? [])
        }
        return count
    }

    var finding: Finding? {
        guard let daemon, let limit else { return nil }
        let text = "\(daemon) folders are watched; \(used) of \(limit) watches are in use"
        guard used * 100 < limit * Self.full else {
            return .fault(
                "watches", text,
                cure: "run: echo fs.inotify.max_user_watches=\(max(limit * 4, 65_536)) "
                    + "| sudo tee /etc/sysctl.d/50-stickerd.conf && sudo sysctl --system")
        }
        // Even a daemon that polls the inbox watches its outbox.
        guard daemon == 0 else { return .ok("watches", text) }
        return .note(
            "watches", "no folder is watched",
            cure: "unless the daemon is just starting, run: echo fs.inotify.max_user_instances=1024 "
                + "| sudo tee /etc/sysctl.d/51-stickerd.conf && sudo sysctl --system && sudo systemctl restart stickerd"
        )
    }
}
