/// A change of a file's state by its claim, or before its photo is known; all others are decided (`Decision`). Its
/// initializer is private, so `FileRecord` can write only the values below.
package struct FileTransition: Sendable {
    package let name: String
    /// The states it starts from.
    package let from: Set<FileState>
    /// Nil if the file's row is deleted.
    package let to: FileState?
    /// Added to the file's unfinished attempts; nil resets them to 0.
    package let attempts: Int?

    /// Takes it from the queue.
    package static let claim = FileTransition("claim", from: [.pending], to: .processing, attempts: 1)
    /// Returns it to its place in the queue as if it had not been claimed.
    package static let release = FileTransition("release", from: [.processing], to: .pending, attempts: -1)
    /// The daemon or its worker ended while the file was in progress. The attempt counts.
    package static let interrupt = FileTransition("interrupt", from: [.processing], to: .pending, attempts: 0)
    /// Ends the work on a file whose photo is not known.
    package static func end(_ state: FileState) -> FileTransition {
        FileTransition("end", from: [.processing], to: state)
    }
    /// A user asked to read it again.
    package static let retry = FileTransition("retry", from: [.failed], to: .pending)
    /// A user removed it.
    package static let dismiss = FileTransition("dismiss", from: [.failed], to: .ignored)
    /// It left the inbox.
    package static let forget = FileTransition(
        "forget", from: Set(FileState.allCases).subtracting([.processing]), to: nil)
    /// It left the inbox while in progress.
    package static let abandon = FileTransition("abandon", from: [.processing], to: nil)

    /// All transitions; a test draws the diagram from them.
    package static let table: [FileTransition] =
        [claim, release, interrupt] + [.failed, .ignored].map(end) + [retry, dismiss, forget, abandon]

    private init(_ name: String, from: Set<FileState>, to: FileState?, attempts: Int? = nil) {
        self.name = name
        self.from = from
        self.to = to
        self.attempts = attempts
    }
}
