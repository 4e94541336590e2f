/// What becomes of a photo's file in the inbox once the work on it is done.
package enum OriginalsMode: String, CaseIterable, Sendable {
    /// The inbox is only read.
    case keep
    /// Moved into the archive.
    case archive
    /// Removed.
    case delete

    /// What becomes of a file that ended in `state`; nil where it stays. A photo that nothing was made of is never
    /// removed: it may be the only copy.
    func action(for state: FileState) -> Original.Action? {
        switch (self, state) {
        case (.keep, _), (_, .pending), (_, .processing), (_, .ignored): nil
        case (_, .failed), (.delete, .noSubject): .setAside
        case (.archive, .done), (.archive, .duplicate), (.archive, .noSubject): .archive
        case (.delete, .done), (.delete, .duplicate): .remove
        }
    }
}
