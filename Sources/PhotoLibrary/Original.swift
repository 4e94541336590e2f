package import Foundation
import GRDB
package import LinuxIO
package import SystemPackage

/// What becomes of a photo's file in the inbox once work on it has ended.
package enum OriginalsMode: String, CaseIterable, Sendable {
    /// It stays: the inbox is only read.
    case keep
    /// It is moved to the archive.
    case archive
    /// It is removed.
    case delete

    /// What becomes of a file that ended in `state`; nil if it stays. A photo without a sticker is never removed: it may
    /// be the only copy.
    func action(for state: FinalState) -> Original.Action? {
        switch (self, state) {
        case (.keep, _): nil
        case (_, .failed), (.delete, .noSubject): .moveToFailed
        case (.archive, .done), (.archive, .duplicate), (.archive, .noSubject): .archive
        case (.delete, .done), (.delete, .duplicate): .remove
        }
    }
}

/// A row of `original`: a file of the inbox whose work has ended, and what is to become of it, or has. The Library
/// records that before it is done.
package struct Original: Decodable, FetchableRecord, Sendable {
    /// What is to become of the file.
    package enum Action: String, Codable, DatabaseValueConvertible, Sendable {
        /// To the archive.
        case archive
        /// To the folder of photos that failed, with the reason beside it.
        case moveToFailed = "setAside"
        case remove
    }

    /// What has become of it.
    package enum Outcome: String, Codable, DatabaseValueConvertible, Sendable {
        /// It is at `target`.
        case moved
        case removed
        /// It was taken away, or another file has its name.
        case gone
    }

    let file: Int64
    let arrival: Int64
    /// The file's path when the work on it ended.
    package let path: InboxPath
    private let device: Int64
    private let inode: Int64
    private let size: Int64
    private let modified: Int64
    package let action: Action
    /// Why the photo failed, or has no sticker.
    package let reason: String?
    private let recordedTarget: InboxPath?
    /// When the work on the file ended.
    package let decided: Date
    /// When `outcome` was recorded; both are nil until then.
    package let finished: Date?
    package let outcome: Outcome?

    private enum CodingKeys: String, CodingKey {
        case file, arrival, path, device, inode, size, modified, action, reason, decided, finished, outcome
        case recordedTarget = "target"
    }

    /// What is to become of a file, or has; nil if it stays.
    static func of(_ file: FileRecord, in database: Database) throws -> Original? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM original WHERE file = ? AND arrival = ?")
        return try fetchOne(statement, arguments: [file.id, file.arrival])
    }

    /// Where it goes, absolute, once that has been decided.
    package var target: FilePath? { recordedTarget.map { FilePath(bytes: $0.bytes) } }

    /// As the file was when it was worked on; the inode change time does not count.
    package var identity: FileIdentity {
        FileIdentity(storedDevice: device, inode: inode, size: size, modified: modified, changed: 0)
    }

    /// The file's name while stickerd checks whether to remove it; the same after a restart.
    package var asideName: [UInt8] { AtomicFile.asideName("\(file)-\(arrival)") }

    /// Whether `status` is the file's, unchanged.
    package func isSame(as status: FileStatus) -> Bool {
        status.kind == .regular && status.identity.device == identity.device
            && status.identity.inode == identity.inode && hasContents(of: status)
    }

    /// Whether `status` may be a copy's: size and modification time are the file's.
    package func hasContents(of status: FileStatus) -> Bool {
        status.kind == .regular && status.identity.size == identity.size
            && status.identity.modified == identity.modified
    }
}
