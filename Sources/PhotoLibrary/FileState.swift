/// Where a file of the inbox stands. Every file seen is in exactly one state.
package enum FileState: String, CaseIterable, Codable, Sendable {
    /// Waiting for its turn.
    case pending
    /// In hand right now.
    case processing
    /// Its sticker is in the outbox.
    case done
    /// The same photo, byte for byte, came in before as another file of its pack; or one that looks the same, where
    /// such are skipped.
    case duplicate
    /// The photo has no clear subject: colors, but no sticker.
    case noSubject
    /// No sticker could be made; the reason says why.
    case failed
    /// Not looked at, for the reason given: hidden, temporary, no regular file, or changed while it was in hand.
    case ignored
}
