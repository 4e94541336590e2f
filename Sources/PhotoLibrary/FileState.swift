/// The state of one inbox file. Every file in the Library is in exactly one.
package enum FileState: String, CaseIterable, Codable, Sendable {
    /// Waiting in the queue.
    case pending
    /// Claimed, not finished.
    case processing
    /// Its sticker is in the outbox.
    case done
    /// The same photo, byte for byte, came in before as another file of its pack; or it is a near-duplicate, and these
    /// are skipped.
    case duplicate
    /// The photo has no clear subject: colors, but no sticker.
    case noSubject
    /// No sticker could be made; the reason says why.
    case failed
    /// Not processed, for the reason given: hidden, temporary, not a picture, not a regular file, or changed while in
    /// progress.
    case ignored

    /// The states in which a file enters the Library, or enters it again with other contents or after it had left.
    static let ofArrivals: [FileState] = [.pending, .ignored]

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
        case .pending, .processing, .failed, .noSubject: true
        case .done: rule == .withdraw
        case .duplicate, .ignored: false
        }
    }
}

/// A change of a file's state by its claim, or before its photo is known; all others are decided (`Decision`). Its
/// initializer is private, so `FileRecord` can write only the values below.
struct FileTransition: Sendable {
    let name: String
    /// The states it starts from.
    let from: Set<FileState>
    /// Nil if the file's row is deleted.
    let to: FileState?
    /// Added to the file's unfinished attempts; nil resets them to 0.
    let attempts: Int?

    /// Takes it from the queue.
    static let claim = FileTransition("claim", from: [.pending], to: .processing, attempts: 1)
    /// Returns it to its place in the queue as if it had not been claimed.
    static let release = FileTransition("release", from: [.processing], to: .pending, attempts: -1)
    /// The daemon or its worker ended while the file was in progress. The attempt counts.
    static let interrupt = FileTransition("interrupt", from: [.processing], to: .pending, attempts: 0)
    /// Ends the work on a file whose photo is not known.
    static func end(_ state: FileState) -> FileTransition { FileTransition("end", from: [.processing], to: state) }
    /// A user asked to read it again.
    static let retry = FileTransition("retry", from: [.failed], to: .pending)
    /// A user removed it.
    static let dismiss = FileTransition("dismiss", from: [.failed], to: .ignored)
    /// It left the inbox.
    static let forget = FileTransition(
        "forget", from: Set(FileState.allCases).subtracting([.processing]), to: nil)
    /// It left the inbox while in progress.
    static let abandon = FileTransition("abandon", from: [.processing], to: nil)

    /// All transitions; a test draws the diagram from them.
    static let table: [FileTransition] =
        [claim, release, interrupt] + [.failed, .ignored].map(end) + [retry, dismiss, forget, abandon]

    private init(_ name: String, from: Set<FileState>, to: FileState?, attempts: Int? = nil) {
        self.name = name
        self.from = from
        self.to = to
        self.attempts = attempts
    }
}

/// A state change that the table does not allow. The transaction that attempted it is rolled back.
struct IllegalTransition: Error, Sendable, CustomStringConvertible {
    let file: Int64
    let from: FileState
    let transition: String

    var description: String {
        "file \(file) of the Library is \(from.rawValue), which does not allow the transition \(transition)"
    }
}
