package import FileNames
package import Foundation
package import GRDB
package import LinuxIO
package import PhotoRule
import SQLiteDatabase
package import SystemPackage

/// A row of `original`: a file of the inbox whose work has ended, what is to happen to it, and what happened. Recorded
/// before the file is touched.
package struct Original: Decodable, FetchableRecord, Sendable {
    /// What happened to the file.
    package enum Outcome: String, Codable, DatabaseValueConvertible, Sendable {
        /// It is at `target`.
        case moved
        case removed
        /// It had left the inbox, or another file had its name.
        case gone
    }

    let file: Int64
    /// The arrival of the file on which the work ended.
    package let arrival: Int64
    /// The file's path when the work on it ended.
    package let path: InboxPath
    private let device: Int64
    private let inode: Int64
    private let size: Int64
    private let modified: Int64
    /// The inode change time; nil if the file has arrived again.
    private let changed: Int64?
    /// SHA-256 of the photo, lowercase hexadecimal; nil if it was never read.
    package let photo: String?
    /// What the settings wanted of the file.
    package let action: OriginalsMode.Action
    /// Why the photo failed, or has no sticker.
    package let reason: String?
    let target: InboxPath?
    /// Whether an earlier try, which ended with a crash or an error, may have moved or removed it.
    package let begun: Bool
    /// When the work on the file ended.
    package let decided: Date
    /// When `outcome` was recorded; both are nil until then.
    package let finished: Date?
    package let outcome: Outcome?

    /// The row of a file; nil if the file stays.
    package static func of(_ file: FileRecord, in database: Database) throws -> Original? {
        try fetchOne(
            database, cached: "SELECT * FROM original WHERE file = ? AND arrival = ?",
            arguments: [file.id, file.arrival])
    }

    /// The absolute path it moves to, once that is chosen.
    package var destination: FilePath? { target.map { FilePath(bytes: $0.bytes) } }

    /// Whether it is there, even if that is not recorded yet.
    package var isAtTarget: Bool { destination.flatMap { try? FileStatus(of: $0) }.map(hasContents) == true }

    /// The file's identity when work on it ended, except the inode change time, which is 0.
    package var identity: FileIdentity {
        FileIdentity(storedDevice: device, inode: inode, size: size, modified: modified, changed: 0)
    }

    /// The file's temporary name while stickerd checks whether to remove it; the same after a restart.
    package var asideName: [UInt8] { AtomicFile.asideName("\(file)-\(arrival)") }

    /// Whether `status` is that of this file, unchanged.
    package func isSame(as status: FileStatus) -> Bool {
        status.identity.node == identity.node && status.identity.modified == identity.modified
            && hasContents(of: status)
    }

    /// Whether the inode change time is that of the processed file: then so are its bytes.
    package func isUntouched(_ status: FileStatus) -> Bool { isSame(as: status) && status.identity.changed == changed }

    /// The coarsest resolution of file times, in nanoseconds: two seconds on FAT.
    private static let timeResolution = 2_000_000_000 as Int64

    /// Whether `status` may be that of a copy: size and modification time are this file's, as far as the file system
    /// stores times.
    package func hasContents(of status: FileStatus) -> Bool {
        status.kind == .regular && status.identity.size == identity.size
            && (-Self.timeResolution...Self.timeResolution)
                .contains(status.identity.modified &- identity.modified)
    }
}
