package import FileNames
package import LinuxIO
import Logging
package import SystemPackage
import Systemd

/// A reason why work is paused. Affected photos stay in the queue, and no attempt is counted.
package enum Condition: Hashable, Sendable {
    /// The inbox is missing, or another folder is in its place.
    case inboxAway
    /// Too many photos of the inbox cannot be read: its disk fails.
    case inboxUnreadable
    /// Folders inside the inbox cannot be read.
    case foldersClosed
    /// The outbox is missing, or on another disk than before.
    case outboxAway
    /// The disk of the archive, or of the folder of failed photos, is missing.
    case receiverAway
    /// A file system has less room than `limits.minFreeBytes`.
    case diskFull
    /// Memory, descriptors or threads are short.
    case shortage
    /// The Library cannot be used because of its disk.
    case library
    /// No worker process can be started.
    case workers
    /// Photos cannot be moved out of the inbox.
    case originals
    /// The reloaded settings are invalid; the previous ones stay in effect.
    case settings
    /// The folder of this pack cannot be written.
    case pack(ExactName)
    /// The index or page of this pack cannot be written.
    case index(ofPack: ExactName)
    /// A file system has no room for the ZIP of this pack.
    case archive(ofPack: ExactName)
    /// The exports of this pack cannot be written.
    case exports(ofPack: ExactName)
    /// The photo of this file, by its key in the Library, cannot be read.
    case photo(Int64)
    /// The photo of this file, by its key and its place in the order of arrival, ends early: its writer may append the
    /// rest.
    case incomplete(Int64, arrival: Int64)

    /// Whether it concerns a single photo that cannot be read.
    var isOfPhoto: Bool { if case .photo = self { true } else { false } }
}

// MARK: - Messages

extension Condition {
    /// Logged when the condition begins.
    package var beginning: String {
        switch self {
        case .inboxAway: "Inbox unavailable; paused until it returns"
        case .inboxUnreadable: "Cannot read the inbox; retrying"
        case .foldersClosed: "Cannot read folders inside the inbox; rescans retry them"
        case .outboxAway: "Outbox unavailable; paused until it returns"
        case .receiverAway: "Photos that were moved cannot be found because a disk is missing; they wait for it"
        case .diskFull: "The disk is nearly full; paused until there is room"
        case .shortage: "Out of memory, descriptors or threads; retrying"
        case .library: "Cannot use the Library; retrying"
        case .workers: "Cannot start a worker; retrying"
        case .originals: "Cannot move photos out of the inbox; retrying"
        case .settings: "The new settings are invalid; keeping the old ones"
        case .pack: "Cannot write to a pack's folder; retrying"
        case .index: "Cannot write a pack's index; retrying"
        case .archive: "Cannot write a pack's stickers.zip; retrying"
        case .exports: "Cannot write a pack's exports; retrying"
        case .photo: "Cannot read a photo; retrying"
        case .incomplete: "A photo is incomplete; waiting for the rest"
        }
    }

    /// Logged when the condition ends.
    package var end: String {
        switch self {
        case .inboxAway: "Inbox available again"
        case .inboxUnreadable: "The inbox can be read again"
        case .foldersClosed: "All folders inside the inbox can be read"
        case .outboxAway: "Outbox available again"
        case .receiverAway: "Photos that were moved can be found again"
        case .diskFull: "There is room on the disk again"
        case .shortage: "Memory, descriptors and threads are available again"
        case .library: "The Library can be used again"
        case .workers: "Workers can be started again"
        case .originals: "Photos can be moved out of the inbox again"
        case .settings: "The settings are valid again"
        case .pack: "A pack's folder can be written again"
        case .index: "A pack's index can be written again"
        case .archive: "A pack's stickers.zip can be written again"
        case .exports: "A pack's exports can be written again"
        case .photo: "A photo can be read again"
        case .incomplete: "An incomplete photo no longer waits for the rest"
        }
    }

    /// At which the beginning is logged.
    var level: Logger.Level {
        switch self {
        case .incomplete: .info
        case .archive, .foldersClosed: .warning
        default: .error
        }
    }

    /// The journal's events for the beginning and the end.
    var events: (beginning: JournalEvent, end: JournalEvent)? {
        switch self {
        case .inboxAway: (.inboxAway, .inboxBack)
        case .foldersClosed, .library, .workers, .originals, .settings, .index, .archive, .exports: nil
        default: (.workPaused, .workResumed)
        }
    }
}

extension FileSystemSpace {
    /// One line for a person: the disk of `folder` has `free` bytes, of which `needed` are to be written.
    package static func shortage(at folder: FilePath, free: Int, needed: Int, minFreeBytes: Int) -> String {
        let (free, needed, reserve) = (free >> 20, (needed + (1 << 20) - 1) >> 20, minFreeBytes >> 20)
        return switch (needed, reserve) {
        case (0, _): "\(folder): only \(free) MiB are free; limits.minFreeBytes requires \(reserve) MiB"
        case (_, 0): "\(folder): only \(free) MiB are free; up to \(needed) MiB are to be written"
        default:
            """
            \(folder): only \(free) MiB are free; up to \(needed) MiB are to be written, and limits.minFreeBytes \
            requires \(reserve) MiB to stay free
            """
        }
    }
}

/// A condition stopped the work on a photo, which returns to its place in the queue.
package struct ConditionError: Error {
    package let condition: Condition
    /// One line for a person.
    package let reason: String
    /// How long to wait; nil for the usual backoff.
    package var wait: Duration?
    /// The photo's own reason to wait, without its name; nil if the photo is not the cause.
    package var photoReason: String?

    package init(_ condition: Condition, _ reason: String) {
        self.condition = condition
        self.reason = reason
    }
}
