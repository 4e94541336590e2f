import DaemonSettings
import FileNames
import LinuxIO
import Logging
import Outbox
import Packs
import PhotoLibrary
import PhotoRule
import Processing
import Systemd

extension Library {
    /// Prepares it for work after any exit of the last process, at the daemon's start, and for `verify --repair`:
    /// requeues photos that were in progress, takes over what the outbox knows and the Library does not, and applies
    /// the settings that later changes of the Library depend on.
    ///
    /// - Parameter progress: called between pieces of work.
    /// - Throws: also if the outbox cannot be read while the Library is new: the index must not be rewritten then.
    func prepare(
        _ settings: Settings, _ outbox: OutboxWriter, _ logger: Logger, progress: @Sendable () -> Void = {}
    ) async throws {
        if let former = quarantined {
            logger.log(
                level: former.isDamaged ? .error : .notice,
                former.isDamaged
                    ? "The Library was damaged; rebuilding it from the outbox"
                    : "An older stickerd wrote the Library; rebuilding it from the outbox",
                metadata: ["former": "\(former.path)"])
        }
        try await adopt(settings)
        for path in try await recover() {
            logger.warning(
                "Cannot make a sticker",
                metadata: [
                    "event": "\(JournalEvent.photoFailed.rawValue)", "photo": "\(path)",
                    "state": "\(FileState.failed.rawValue)",
                    "reason": "\(Self.crashReason)",
                ])
        }
        let isNew = try await needsRebuilding()
        do {
            try await outbox.takeOver(logger, progress)
        } catch let error as OutboxError where !isNew {
            // `packService` takes over before an index is written.
            logger.debug("Cannot compare the outbox with the Library yet", metadata: ["reason": "\(error)"])
        }
    }

    /// Takes over the settings that the Library's own changes depend on.
    func adopt(_ settings: Settings) async throws {
        adopt(settings.whenPhotoRemoved)
        try await adopt(keepStem: settings.processing.keepStem)
        try await adopt(originals: settings.processing.originals)
    }
}

extension OutboxWriter {
    /// The same as `takeOver(progress:)`, with a line in the log.
    func takeOver(_ logger: Logger, _ progress: @Sendable () -> Void = {}) async throws {
        let isNew = try await library.needsRebuilding()
        let stickers = try await takeOver(progress: progress) { copy in
            logger.warning(
                "An index cannot be read, so its stickers are not taken over; a copy of it is kept",
                metadata: ["file": "\(InboxPath(bytes: copy.bytes))"])
        }
        guard stickers > 0 || isNew && library.quarantined != nil else { return }
        logger.notice(
            isNew
                ? "Rebuilt the Library"
                : "The Library was older than the outbox; it has taken over the outbox's stickers",
            metadata: ["stickers": "\(stickers)"])
    }
}
