package import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// A file of the inbox whose work is done, and what is to become of it; on disk in the Library before anything is.
package struct Original: Sendable {
    /// What is to become of the file. The raw value is in the Library.
    package enum Action: String, Sendable {
        /// To the archive.
        case archive
        /// To the folder of photos that failed, with the reason beside it.
        case setAside
        case remove
    }

    /// What has become of it. The raw value is in the Library.
    package enum Outcome: String, Sendable {
        /// It is at `target`.
        case moved
        case removed
        /// Somebody else has taken it away, or another file has its name.
        case gone
    }

    let file: Int64
    let arrival: Int64
    /// As the file was called when the work on it ended.
    package let path: InboxPath
    /// As the file was when it was worked on; the time of its last change of attributes does not count.
    package let identity: FileIdentity
    package let action: Action
    /// Why it was set aside.
    package let reason: String?
    /// Where it goes, absolute, once that has been decided.
    package let target: FilePath?
    /// When the work on the file ended.
    package let decided: Date

    /// The file's name while stickerd checks whether to remove it; the same after a restart.
    package var asideName: [UInt8] { AtomicFile.asideName("\(file)-\(arrival)") }

    /// Whether this is the file, unchanged.
    package func isSame(as status: FileStatus) -> Bool {
        status.kind == .regular && status.identity.device == identity.device
            && status.identity.inode == identity.inode && hasContents(of: status)
    }

    /// Whether this may be a copy of the file, which has its size and its time.
    package func hasContents(of status: FileStatus) -> Bool {
        status.kind == .regular && status.identity.size == identity.size
            && status.identity.modified == identity.modified
    }
}

extension Original {
    init?(row: Row) {
        guard let path = InboxPath(escaped: row["path"]), let action = Action(rawValue: row["action"]) else {
            return nil
        }
        file = row["file"]
        arrival = row["arrival"]
        self.path = path
        identity = FileIdentity(
            device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]), size: row["size"],
            modified: row["modified"], changed: 0)
        self.action = action
        reason = row["reason"]
        target = (row["target"] as String?).flatMap { InboxPath(escaped: $0) }.map { FilePath(bytes: $0.bytes) }
        decided = row["decided"]
    }
}
