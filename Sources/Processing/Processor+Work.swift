import Conditions
import FileNames
import LinuxIO
import Logging
import Outbox
import OutboxLayout
import PhotoCodecs
import PhotoFacts
import PhotoLibrary
import PhotoRule
import StickerStudio
import SystemPackage
import Systemd
import Workers

/// The work on one claimed file.
extension Processor {
    /// Processes one photo, or recognizes it, and records the result.
    ///
    /// - Parameter settings: those when it was claimed.
    /// - Throws: `OutboxError`, `ConditionError` or `Stopping` if the file should return to the queue; other errors are
    ///   fatal.
    func work(on claim: Claim, photo: OpenPhoto, settings: ProcessorSettings) async throws {
        // Each round marks stickers that are damaged in the outbox, so that it ends.
        for _ in 0..<Self.maxRounds {
            switch try await library.resolve(claim, photo: photo.sha256) {
            case .work: return try await make(claim, photo: photo, settings: settings)
            case .copy(let stickers):
                if try await copy(stickers, for: claim, photo: photo, settings: settings) { return }
                let damaged = try await outbox.damaged(stickers)
                guard let pack = stickers.first?.pack, !damaged.isEmpty else {
                    // Its thumbnail is missing, for example. The sticker stays in its pack until the new one is listed.
                    return try await make(claim, photo: photo, settings: settings)
                }
                _ = try await library.remake(damaged, inPack: pack)
            case .upToDate:
                // Check the sticker files: finishing may delete the original.
                let stickers = try await library.stickerRecords(ofPhoto: photo.sha256, inPack: claim.pack)
                let damaged = try await outbox.damaged(stickers)
                if damaged.isEmpty { return try await finishUpToDate(claim, photo: photo, settings) }
                _ = try await library.remake(damaged, inPack: claim.pack)
            }
        }
        try await make(claim, photo: photo, settings: settings)
    }

    private static let maxRounds = 8

    /// Names for the photo's palettes, best first.
    func stems(of claim: Claim, photo: OpenPhoto, _ settings: ProcessorSettings) -> [String] {
        OutboxName.stems(stem: settings.keepStem ? claim.path.stem : nil, photo: photo.sha256)
    }

    private func finishUpToDate(_ claim: Claim, photo: OpenPhoto, _ settings: ProcessorSettings) async throws {
        let ending = Ending.upToDate(stems: stems(of: claim, photo: photo, settings))
        guard let end = try await library.finish(claim, as: ending, originals: settings.originals) else { return }
        let reason: Logger.Metadata = ["reason": "\(end.reason ?? "")"]
        switch end.state {
        case .duplicate:
            let original = end.reason ?? "duplicate"
            log(
                .duplicate, "\(original.prefix(1).uppercased() + original.dropFirst()); no new sticker", claim,
                ["original": "\(original)"])
        case .noSubject: log(.noSubject, "No clear subject: try one thing on a calm background", claim, reason)
        case .failed: log(.photoFailed, "Cannot make a sticker", claim, reason)
        case .done, .pending, .processing, .ignored: return
        }
    }

    /// Ends a claim whose file could not be opened.
    ///
    /// - Throws: `ConditionError` if the file should return to the queue.
    func endUnread(_ claim: Claim, _ error: PhotoReadError) async throws {
        switch error {
        case .gone, .changed:
            // A change is reported again when the writer closes the file.
            if let reason = try await library.abandon(claim) {
                log(.photoFailed, "Cannot make a sticker", claim, ["reason": "\(reason)"])
            }
        case .empty:
            // An empty file has nothing to archive or delete, and its writer may have it open: later bytes must arrive
            // here.
            try await fail(claim, as: .unreadable(reason: error.reason), originals: .keep)
        case .forbidden:
            // It stays where its permissions can be corrected.
            try await fail(claim, as: .unreadable(reason: error.reason, isForbidden: true), originals: .keep)
        case .notAPicture:
            try await library.finish(claim, as: .notAPicture)
            log(.ignored, "Ignored: not a picture", claim)
        case .refused(let reason):
            try await fail(claim, as: .unreadable(reason: reason), originals: settings.originals)
        case .away:
            throw ConditionError(.inboxUnreadable, "\(inbox): \(error.reason)")
        case .movedAway(let reason):
            throw ConditionError(.receiverAway, reason)
        case .leased: throw ConditionError(.photo(claim.file), "\(claim.path): \(error.reason)")
        case .transient(let cause):
            throw ConditionError(cause.isShortage ? .shortage : .photo(claim.file), "\(claim.path): \(error.reason)")
        }
    }

    /// Opens and hashes a photo again whose file has another ctime than before. Nil if its bytes are not the same.
    private func reopened(_ photo: OpenPhoto, _ settings: ProcessorSettings) async -> OpenPhoto? {
        guard photo.file.isUnwritten(),
            var again = try? await reader.open(photo.file.path, maxFileBytes: settings.limits.maxFileBytes),
            again.sha256 == photo.sha256
        else { return nil }
        again.isInInbox = photo.isInInbox
        return again
    }

    /// - Parameter tries: how often the photo is processed at most if its file's ctime changes meanwhile. It may have
    ///   been renamed. But another process may also have put other bytes in for a moment, whose sticker would be
    ///   recorded for this photo.
    private func make(_ claim: Claim, photo: OpenPhoto, settings: ProcessorSettings, tries: Int = 3) async throws {
        let start = ContinuousClock.now
        var settings = settings
        let product: WorkerProduct
        do throws(WorkerError) {
            product = try await workers.perform(
                settings.request, descriptor: photo.descriptor, timeout: settings.timePerPhoto)
        } catch {
            if error.code == .unavailable { throw Stopping() }
            if error.code == .unreadable { throw ConditionError(.photo(claim.file), "\(claim.path): \(error)") }
            // A file that was written to meanwhile is recorded again when its writer closes it.
            if error.code == .refused, !photo.file.isUnwritten() {
                try await library.abandon(claim)
                return
            }
            if error.code == .refused {
                let originals = error.endsEarly ? try requireRest(of: photo, claim, settings) : settings.originals
                return try await fail(claim, as: settings.failed(error.description), originals: originals)
            }
            return try await suspect(claim, because: error, settings)
        }
        guard case .photo(let made) = product else {
            return try await fail(
                claim, as: settings.failed("the worker's reply has no photo"), originals: settings.originals)
        }
        let timings = made.timings
        stageTimers.record(timings)
        logger.debug(
            "Processing times",
            metadata: [
                "photo": "\(claim.path)", "decode-usec": "\(timings.decode)", "mask-usec": "\(timings.mask)",
                "matte-usec": "\(timings.matte)", "outline-usec": "\(timings.outline)",
                "encode-usec": "\(timings.encode)", "colors-usec": "\(timings.colors)",
                "passes": "\(timings.passes)",
            ])
        guard photo.file.isUntouched() else {
            guard tries > 1, let same = await reopened(photo, settings) else {
                try await library.abandon(claim)
                return
            }
            return try await make(claim, photo: same, settings: settings, tries: tries - 1)
        }
        if made.endsEarly { settings.originals = try requireRest(of: photo, claim, settings) }
        if let flaw = made.flaw {
            logger.warning(
                "The photo is damaged, but little of it is missing",
                metadata: ["photo": "\(claim.path)", "reason": "\(flaw)"])
        }
        var facts = made.facts
        if settings.nearDuplicates == .off { facts.likeness = nil }
        let result = Ending.Result(photo: photo.sha256, facts: facts, recipe: try settings.recipe.identifier)
        let stems = stems(of: claim, photo: photo, settings)
        guard !made.stickers.isEmpty else {
            try await library.finish(claim, as: .noSubject(result, stems: stems), originals: settings.originals)
            return log(
                .noSubject, "No clear subject: try one thing on a calm background", claim,
                ["confidence": "\(facts.confidence)"])
        }
        try await finishUnlessNearDuplicate(result, claim, settings) { [settings] in
            let (stickers, skipped) = try await publish(
                made.stickers, for: claim, photo: photo.sha256, settings: settings)
            let ending = Ending.made(stickers, result: result, stems: stems, skipping: skipped)
            guard !stickers.isEmpty else { return try await finishRemoved(claim, as: ending) }
            try await library.finish(claim, as: ending, originals: settings.originals)
            log(
                .stickerMade, "Made a sticker", claim,
                [
                    "sticker": "\(stickers.map(\.file).joined(separator: " "))",
                    "duration-usec": "\(start.duration(to: .now).microseconds)",
                ])
        }
    }

    /// The most photos that wait for their rest. Further ones do not wait, but stay in the inbox.
    private static let maxIncomplete = 256
    /// The longest time between two polls.
    private static let pollGap = Duration.seconds(60)

    /// Makes a photo whose file ends early wait until it has been unchanged for long: its writer may append the rest,
    /// which would become a file of its own if the beginning were moved away.
    ///
    /// - Returns: what happens to its file.
    /// - Throws: `ConditionError` the first time.
    private func requireRest(
        of photo: OpenPhoto, _ claim: Claim, _ settings: ProcessorSettings
    ) throws(ConditionError) -> OriginalsMode {
        let condition = Condition.incomplete(claim.file, arrival: claim.arrival)
        guard settings.incompleteTime > .zero, photo.isInInbox, !conditions.has(condition) else {
            return settings.originals
        }
        conditions.endIncomplete(claim.file)
        guard conditions.incompleteCount < Self.maxIncomplete else { return .keep }
        let isPolled = settings.isPolled || photo.isOnSilentFileSystem
        let wait = settings.incompleteTime + (isPolled ? Self.pollGap : .zero)
        let reason = """
            the file ends early; waiting for the rest until it has been unchanged for \(wait.seconds) s \
            (watch.incompleteSeconds)
            """
        var error = ConditionError(condition, "\(claim.path): \(reason)")
        (error.wait, error.photoReason) = (wait, reason)
        throw error
    }

    /// Handles a photo that stopped its worker: makes it a suspect, which is retried alone, or fails it after the last
    /// try.
    private func suspect(_ claim: Claim, because error: WorkerError, _ settings: ProcessorSettings) async throws {
        log(.workerDied, "A worker died while processing a photo", claim, ["reason": "\(error)"])
        guard try await !library.suspect(claim, because: error.description) else { return }
        try await fail(claim, as: settings.failed("failed in three workers: \(error)"), originals: settings.originals)
    }

    func fail(_ claim: Claim, as ending: Ending, originals: OriginalsMode) async throws {
        try await library.finish(claim, as: ending, originals: originals)
        log(.photoFailed, "Cannot make a sticker", claim, ["reason": "\(ending.reason ?? "")"])
    }

    func log(_ event: JournalEvent, _ message: Logger.Message, _ claim: Claim, _ metadata: Logger.Metadata = [:]) {
        let level: Logger.Level =
            switch event {
            case .photoFailed: .warning
            case .workerDied: .error
            case .nearDuplicate: .notice
            default: .info
            }
        var own: Logger.Metadata = ["event": "\(event.rawValue)", "photo": "\(claim.path)"]
        let state: FileState? =
            switch event {
            case .stickerMade: .done
            case .duplicate: .duplicate
            case .noSubject: .noSubject
            case .photoFailed: .failed
            case .ignored: .ignored
            default: nil
            }
        if let state { own["state"] = "\(state.rawValue)" }
        logger.log(level: level, message, metadata: own.merging(metadata) { $1 })
    }
}

extension ProcessorSettings {
    /// Nothing can be made of the photo with these settings.
    fileprivate func failed(_ reason: String) throws -> Ending {
        .failed(reason: reason, recipe: try recipe.identifier)
    }
}
