/// What happens to a photo's file in the inbox once work on it has ended.
package enum OriginalsMode: String, CaseIterable, Sendable {
    /// It stays: the inbox is only read.
    case keep
    /// It is moved to the archive.
    case archive
    /// It is removed.
    case delete

    /// What is to happen to the file.
    package enum Action: String, Codable, Sendable {
        /// To the archive.
        case archive
        /// To the folder of photos that failed, with the reason beside it.
        case moveToFailed = "setAside"
        case remove
    }

    /// Returns what happens to a file in this state; nil if it stays. A photo without a sticker is never removed: it
    /// may be the only copy.
    package func action(for state: FileState) -> Action? {
        switch (self, state) {
        case (.keep, _), (_, .ignored), (_, .pending), (_, .processing): nil
        case (_, .failed), (.delete, .noSubject): .moveToFailed
        case (.archive, .done), (.archive, .duplicate), (.archive, .noSubject): .archive
        case (.delete, .done), (.delete, .duplicate): .remove
        }
    }
}
