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
    package static let ofArrivals: [FileState] = [.pending, .ignored]

    /// Whether `stickerd retry` accepts the file.
    package var canBeRetried: Bool {
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
