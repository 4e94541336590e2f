package import SystemPackage

/// The outbox's file system refuses something, or is away: no fault of any photo's, and worth another try.
package struct OutboxError: Error, Sendable, CustomStringConvertible {
    /// The pack's folder, or the outbox.
    package let folder: FilePath
    /// What the system says; nil where it is another folder than the outbox of before.
    package let cause: Errno?
    /// The outbox itself is not there: nothing in it can be looked at, or counts as missing.
    package let isAway: Bool

    init(folder: FilePath, cause: Errno) {
        (self.folder, self.cause, isAway) = (folder, cause, false)
    }

    private init(away folder: FilePath, cause: Errno?) {
        (self.folder, self.cause, isAway) = (folder, cause, true)
    }

    /// The outbox cannot be opened.
    static func gone(_ outbox: FilePath, cause: Errno) -> OutboxError { OutboxError(away: outbox, cause: cause) }

    /// Where the outbox was is a folder on another file system, without its stickers: a mount point, most often.
    static func another(_ outbox: FilePath) -> OutboxError { OutboxError(away: outbox, cause: nil) }

    package var description: String {
        switch cause {
        case nil: "\(folder): not the disk the outbox was on; is it mounted? Work goes on when it is back"
        case let cause? where isAway:
            "\(folder): the outbox is not there (\(cause)); is its disk mounted? Work goes on when it is back"
        case let cause?: "\(folder): cannot be written (\(cause))"
        }
    }
}
