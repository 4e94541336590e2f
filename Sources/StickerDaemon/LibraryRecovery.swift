import Logging
import PhotoLibrary
import StickerPipeline
import Systemd

/// Prepares the Library for work after any exit of the last process: at the daemon's start, and for `verify --repair`.
struct LibraryRecovery {
    let settings: Settings
    let logger: Logger

    /// Rebuilds a Library that was damaged or lost, requeues photos that were in progress, and applies the settings that later
    /// changes of the Library depend on.
    ///
    /// - Parameter progress: called between pieces of work.
    /// - Throws: also if the outbox cannot be read while the Library must be rebuilt: the index must not be rewritten then.
    func run(on library: PhotoLibrary, _ outbox: Outbox, progress: @Sendable () -> Void = {}) async throws {
        if let damaged = library.quarantined {
            logger.error(
                "The Library was damaged; rebuilding it from the outbox", metadata: ["damaged": "\(damaged)"])
        }
        if try await library.needsRebuilding() {
            let stickers = try await outbox.rebuild(progress: progress)
            if library.quarantined != nil || stickers > 0 {
                logger.notice("Rebuilt the Library", metadata: ["stickers": "\(stickers)"])
            }
        }
        for path in try await library.recover(originals: settings.originals.mode) {
            logger.warning(
                "Cannot make a sticker",
                metadata: [
                    "event": "\(JournalEvent.photoFailed.rawValue)", "photo": "\(path)",
                    "state": "\(FileState.failed.rawValue)",
                    "reason": "\(PhotoLibrary.crashReason)",
                ])
        }
        library.adopt(settings.whenPhotoRemoved)
        library.adopt(keepStem: settings.sticker.keepStem)
    }
}
