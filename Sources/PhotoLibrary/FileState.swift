/// The state of one inbox file. Every file in the Library is in exactly one.
package enum FileState: String, CaseIterable, Codable, Sendable {
    /// Waiting for its turn.
    case pending
    /// Claimed, not finished.
    case processing
    /// Its sticker is in the outbox.
    case done
    /// The same photo, byte for byte, came in before as another file of its pack; or a near-duplicate, if these are
    /// skipped.
    case duplicate
    /// The photo has no clear subject: colors, but no sticker.
    case noSubject
    /// No sticker could be made; the reason says why.
    case failed
    /// Not worked on, for the reason given: hidden, temporary, no regular file, or changed while in progress.
    case ignored

    /// The states in which a file enters the Library, or enters it again with other contents or after it had left.
    static let ofArrivals: [FileState] = [.pending, .ignored]

    /// Whether a file in this state is processed again if it is moved to another pack: its sticker is in the former one.
    var isRepackedIfMoved: Bool {
        switch self {
        case .done, .duplicate: true
        case .pending, .processing, .noSubject, .failed, .ignored: false
        }
    }

    /// Whether `stickerd retry` accepts the file.
    var canBeRetried: Bool {
        switch self {
        case .failed, .noSubject: true
        case .pending, .processing, .done, .duplicate, .ignored: false
        }
    }

    /// Whether it is an error that a file in this state is not in the inbox; in other states it may stay in the Library
    /// as history.
    package func mustBeInInbox(_ rule: WhenPhotoRemoved) -> Bool {
        switch self {
        case .pending, .processing, .failed: true
        case .done, .noSubject: rule == .withdraw
        case .duplicate, .ignored: false
        }
    }
}

/// A state in which work on a file ends.
package enum FinalState: String, CaseIterable, Sendable {
    case done, duplicate, noSubject, failed

    var state: FileState {
        switch self {
        case .done: .done
        case .duplicate: .duplicate
        case .noSubject: .noSubject
        case .failed: .failed
        }
    }
}

/// A change of a known file's state. The values below are all there are, so no other change can be written
/// (`FileRecord` writes them).
struct FileTransition: Sendable {
    let name: String
    /// The states it starts from.
    let from: Set<FileState>
    /// Nil if the file's row is deleted.
    let to: FileState?
    /// What is added to the file's unfinished attempts; nil sets them to 0.
    let attempts: Int?

    /// Its turn has come.
    static let claim = FileTransition("claim", from: [.pending], to: .processing, attempts: 1)
    /// It returns to its place in the queue as if it had not been claimed.
    static let release = FileTransition("release", from: [.processing], to: .pending, attempts: -1)
    /// The daemon ended while the file was in progress. The attempt counts.
    static let interrupt = FileTransition("interrupt", from: [.processing], to: .pending, attempts: 0)
    /// Its work ends in `state`.
    static func end(_ state: FinalState) -> FileTransition {
        FileTransition("end", from: [.processing], to: state.state)
    }
    /// It was replaced or removed while in progress, and the Inbox has yet to say which.
    static let ignore = FileTransition("ignore", from: [.processing], to: .ignored)
    /// It was moved to another pack, and needs a sticker there.
    static let repack = FileTransition(
        "repack", from: Set(FileState.allCases.filter(\.isRepackedIfMoved)).union([.processing]), to: .pending)
    /// Its sticker is to be made, or made again.
    static let requeue = FileTransition("requeue", from: [.done, .duplicate, .noSubject, .failed], to: .pending)
    /// The file that it was a duplicate of is gone: it takes that one's place, with its sticker or without.
    static func inherit(sticker: Bool) -> FileTransition {
        FileTransition("inherit", from: [.duplicate], to: sticker ? .done : .noSubject)
    }
    /// It left the inbox.
    static let forget = FileTransition(
        "forget", from: Set(FileState.allCases).subtracting([.processing]), to: nil)
    /// It left the inbox while in progress.
    static let abandon = FileTransition("abandon", from: [.processing], to: nil)

    /// All of them.
    static let table: [FileTransition] =
        [claim, release, interrupt] + FinalState.allCases.map(end) + [ignore, repack, requeue]
        + [true, false].map(inherit) + [forget, abandon]

    private init(_ name: String, from: Set<FileState>, to: FileState?, attempts: Int? = nil) {
        self.name = name
        self.from = from
        self.to = to
        self.attempts = attempts
    }
}

/// A change of a file's state that the table does not have. The transaction that attempted it has written nothing.
struct IllegalTransition: Error, Sendable, CustomStringConvertible {
    let file: Int64
    let from: FileState
    let transition: String

    var description: String { "file \(file) of the Library is \(from.rawValue), which does not allow \(transition)" }
}
