package import PhotoLibrary
import Systemd

/// Everything that can keep work from going on. What it stops stays in the queue and is not at fault.
package enum Condition: Hashable, Sendable {
    /// The inbox is not there, or another folder is in its place.
    case inboxAway
    /// So many photos of the inbox cannot be read that its disk is at fault.
    case inboxUnreadable
    /// The outbox is not there, or on another disk than before.
    case outboxAway
    /// A file system has less room than `limits.minFreeBytes`.
    case diskFull
    /// Memory, descriptors or threads are short.
    case shortage
    /// The Library's disk refuses it.
    case library
    /// No worker process can be started.
    case workers
    /// Photos cannot be moved out of the inbox.
    case originals
    /// The folder of this pack cannot be written.
    case pack(ExactName)
    /// So many photos of this pack are leased that they are no longer held one by one.
    case leases(inPack: ExactName)
    /// The photo of this file, by its key in the Library, cannot be read.
    case photo(Int64)
    /// Another process has a lease (fcntl(2)) on the photo of this file.
    case lease(Int64, inPack: ExactName)

    /// What a condition stops.
    enum Scope: Equatable {
        case allPhotos
        case pack(ExactName)
        case file(Int64)
        /// Not photos that wait to be claimed.
        case elsewhere
    }

    var scope: Scope {
        switch self {
        case .inboxAway, .inboxUnreadable, .outboxAway, .diskFull, .shortage: .allPhotos
        case .pack(let pack), .leases(let pack): .pack(pack)
        case .photo(let file), .lease(let file, _): .file(file)
        case .library, .workers, .originals: .elsewhere
        }
    }

    /// The condition to record instead when there are as many of a kind as `Conditions` keeps, with that limit.
    var escalation: (limit: Int, to: Condition)? {
        switch self {
        case .photo: (16, .inboxUnreadable)
        // Each claim names all files that are held.
        case .lease(_, let pack): (256, .leases(inPack: pack))
        default: nil
        }
    }

    func isSameKind(as other: Condition) -> Bool {
        switch (self, other) {
        case (.photo, .photo), (.lease, .lease): true
        default: false
        }
    }
}

// MARK: - Messages

extension Condition {
    /// Logged when it begins.
    var beginning: String {
        switch self {
        case .inboxAway: "The inbox is away; work waits until it is back"
        case .inboxUnreadable: "The inbox cannot be read just now; its photos wait for the next try"
        case .outboxAway: "The outbox is away; work waits until it is back"
        case .diskFull: "The disk is nearly full; photos wait until there is room"
        case .shortage: "The system is short of something; photos wait for the next try"
        case .library: "The Library waits for the disk"
        case .workers: "Cannot start a worker just now"
        case .originals: "Photos cannot be moved out of the inbox; trying again"
        case .pack: "The outbox cannot be written; its photos wait for the next try"
        case .leases: "Other processes have leases on many photos of a pack; its photos wait for the next try"
        case .photo: "A photo cannot be read just now; it waits for the next try"
        case .lease: "Another process has a lease on a photo; it waits for the next try"
        }
    }

    /// Logged when it ends.
    var end: String {
        switch self {
        case .inboxAway: "The inbox is back"
        case .inboxUnreadable: "The inbox can be read again"
        case .outboxAway: "The outbox is back"
        case .diskFull: "There is room on the disk again"
        case .shortage: "The system has enough again"
        case .library: "The Library can be used again"
        case .workers: "Workers can be started again"
        case .originals: "Photos can be moved out of the inbox again"
        case .pack: "The outbox can be written again"
        case .leases, .lease: "The lease on a photo has ended"
        case .photo: "A photo can be read again"
        }
    }

    /// The journal's events of its beginning and its end.
    var events: (beginning: JournalEvent, end: JournalEvent)? {
        switch self {
        case .inboxAway: (.inboxAway, .inboxBack)
        case .library, .workers, .originals: nil
        default: (.workPaused, .workResumed)
        }
    }
}
