package import DaemonSettings
import Glibc
package import Logging
import SystemPackage
import Systemd

/// Exit statuses of the process (sysexits(3)).
package enum ExitStatus {
    /// Success.
    package static let success: Int32 = 0
    /// A photo failed, `verify` found a difference, or the command or daemon ended on an error.
    package static let failure: Int32 = 1
    /// The command line is invalid.
    package static let usage: Int32 = 64
    /// Standard output could not be written.
    package static let inputOutput: Int32 = 74
    /// The settings are invalid; a restart does not help.
    package static let configuration: Int32 = 78
}

/// Why a command does nothing, or not everything.
package struct CommandFailure: Error, CustomStringConvertible {
    /// One line for a person, with the cure if there is one.
    package let description: String

    init(_ description: String) { self.description = description }
}

extension Logger {
    /// The process's logger: writes to the journal if standard error is the journal; to a terminal with the
    /// progress of a backlog; or else readable lines.
    package static func stickerd(level: Logger.Level, environment: [String: String]) -> Logger {
        let destination = LogDestination.suiting(descriptor: STDERR_FILENO, environment: environment)
        return Logger(label: "stickerd") { _ in
            switch ProgressOutput.suiting(destination) {
            case .none: JournalLogHandler(destination: destination, level: level)
            case .lines(let backlog): JournalLogHandler(level: level) { backlog.write($0, level: $1) }
            case .screen(let screen): JournalLogHandler(level: level) { record, _ in screen.print(record, destination) }
            }
        }
    }
}

/// Makes commands write as the owner of the state folder: the daemon could not change files that belong to root.
package enum StateOwner {
    /// Changes this process's user permanently to the owner of the state folder, and its umask to that of the units, if
    /// the process runs as root and the folder is not root's. Call it before opening anything for writing.
    package static func become(for settings: Settings) throws(CommandFailure) {
        // A missing folder has no owner yet.
        guard geteuid() == 0, let status = try? settings.state.stat(), status.userID.rawValue != 0 else { return }
        let (user, folderGroup) = (status.userID.rawValue, status.groupID.rawValue)
        do throws(Errno) {
            try becomeUser(user, folderGroup: folderGroup)
            // Every user may read the outbox, also what root repairs.
            umask(0o022)
        } catch {
            throw CommandFailure(
                "\(settings.state): belongs to user \(user), and root cannot switch to that user here "
                    + "(\(error)); run this command as that user")
        }
    }

    private static func becomeUser(_ user: uid_t, folderGroup: gid_t) throws(Errno) {
        // The entry stays valid until the next lookup, and none follows.
        if let entry = unsafe getpwuid(user) {
            let group = unsafe entry.pointee.pw_gid
            try Errno.require(unsafe initgroups(entry.pointee.pw_name, group))
            try Errno.require(setgid(group))
        } else {
            var groups = [folderGroup]
            // The call reads one group.
            try Errno.require(unsafe setgroups(1, &groups))
            try Errno.require(setgid(folderGroup))
        }
        // Last, because the other calls need root.
        try Errno.require(setuid(user))
    }
}

extension Errno {
    fileprivate static func require(_ answer: Int32) throws(Errno) {
        if answer != 0 { throw Errno(rawValue: errno) }
    }
}
