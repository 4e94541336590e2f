package import Conditions
import FileNames
package import LinuxIO
package import Logging
package import Outbox
package import PhotoLibrary
import PhotoRule
import Synchronization
package import SystemPackage

/// Moves or deletes the originals of finished photos, once their stickers and the Library's record are synced.
///
/// The Library records each move and its target first, so that the next start completes what a crash interrupts. A
/// refused move or deletion is retried until it succeeds. Runs on its own thread.
package actor Originals: ThreadOwner {
    /// Absolute paths, because the Library stores them.
    package struct Folders: Sendable {
        let archive: FilePath
        let failed: FilePath
        let used: [FilePath]

        /// Where photos are moved; nil if the action moves none.
        func receiver(for action: OriginalsMode.Action) -> Receiver? {
            switch action {
            case .archive: Receiver(folder: archive, setting: "originals.archive")
            case .moveToFailed: Receiver(folder: failed, setting: "originals.failed")
            case .remove: nil
            }
        }

        /// - Parameter used: those of the two that `originals.mode` uses.
        package init(archive: FilePath, failed: FilePath, used: [FilePath] = []) {
            self.archive = archive
            self.failed = failed
            self.used = used
        }
    }

    /// The most originals fetched from the Library at once.
    private static let batch = 64
    /// The most failures in one run: one cause, such as a full disk, usually affects all files.
    private static let maxFailures = 16
    /// The most closed folders kept in memory.
    private static let maxClosed = 1000

    package let thread: SerialThread
    private let inbox: FilePath
    private let folders: Folders
    private let isIgnored: @Sendable ([UInt8]) -> Bool
    private let library: Library
    private let outbox: OutboxWriter
    private let conditions: CurrentConditions
    private let logger: Logger
    private let news = Wakeup()
    private let isStopping = Atomic(false)
    private var backoff = Backoff()
    /// Originals that failed in this round wait until `pauseEnd`.
    private var round: Int64 = 0
    private var pauseEnd: ContinuousClock.Instant?
    /// Folders of the inbox that permissions forbid moving files out of, found in this round.
    private var closed: Set<InboxPath?> = []
    /// Closed folders already logged; cleared once all work succeeds.
    private var logged: Set<InboxPath?> = []
    private var hasRecovered = false
    private var remade: @Sendable () -> Void = {}

    /// - Parameters:
    ///   - folders: those that `originals.mode` uses must exist.
    ///   - isIgnored: whether folders of this name in the inbox are left alone.
    /// - Throws: if no thread is available.
    package init(
        inbox: FilePath, folders: Folders, isIgnored: @escaping @Sendable ([UInt8]) -> Bool, library: Library,
        outbox: OutboxWriter, conditions: CurrentConditions, logger: Logger
    ) throws(Errno) {
        thread = try SerialThread(name: "originals")
        self.inbox = inbox
        self.folders = folders
        self.isIgnored = isIgnored
        self.library = library
        self.outbox = outbox
        self.conditions = conditions
        self.logger = logger
    }

    /// Wakes `run` to check for due originals.
    package nonisolated func wake() { news.ring() }

    /// Makes `run` try once more and return.
    package nonisolated func stop() {
        isStopping.store(true, ordering: .relaxed)
        news.finish()
    }

    /// Moves and deletes due originals, now and after each wake-up, until `stop()`.
    ///
    /// - Parameter remade: called when photos are requeued because their stickers are gone.
    /// - Throws: the errors of the Library.
    package func run(remade: @escaping @Sendable () -> Void = {}) async throws {
        self.remade = remade
        // Recorded before a disk can be missing; a move reports an error.
        for action in [OriginalsMode.Action.archive, .moveToFailed] {
            guard let receiver = folders.receiver(for: action), folders.used.contains(receiver.folder) else { continue }
            try? await receiver.recognize(in: library)
        }
        wake()
        for await _ in news {
            // During the pause, do only what has become due since the last run.
            if let pauseEnd, conditions.clock.now < pauseEnd {
                _ = try await carryOutDue()
                continue
            }
            pauseEnd = nil
            try await beginRound()
            if try await carryOutDue() {
                backoff = Backoff()
                logged = []
                conditions.end(.originals)
                recoverAside()
                continue
            }
            let wait = backoff.next()
            pauseEnd = conditions.clock.now + wait
            news.ring(after: wait, of: conditions.clock)
        }
        try await beginRound()
        _ = try await carryOutDue()
    }

    /// Why a photo that was moved out of the inbox is missing, in one line for a person; nil if its folder is there.
    func missingDisk(of photo: FilePath) async throws -> String? {
        for case let receiver? in [folders.receiver(for: .archive), folders.receiver(for: .moveToFailed)]
        where photo.starts(with: receiver.folder) {
            do {
                try await receiver.recognize(in: library)
            } catch  where error is Receiver.Away || error is Errno {
                return "\(error)"
            }
        }
        return nil
    }

    private func beginRound() async throws {
        round = try await library.beginRound()
        closed = []
    }

    /// Runs once, when no work is due: no known original owns the files that are still aside.
    private func recoverAside() {
        guard !hasRecovered, !conditions.has(.inboxAway) else { return }
        hasRecovered = true
        do throws(Errno) {
            let recovery = try AsideRecovery.run(in: inbox, isIgnored: isIgnored) {
                isStopping.load(ordering: .relaxed)
            }
            if recovery.recovered > 0 {
                logger.notice(
                    "Restored photos that a crash left moved aside", metadata: ["photos": "\(recovery.recovered)"])
            }
            guard let refusal = recovery.refusal else { return }
            logger.warning(
                "Cannot restore photos that a crash left moved aside; retrying at the next start",
                metadata: ["photos": "\(recovery.refused)", "reason": "\(refusal.path): \(refusal.cause)"])
        } catch {
            logger.warning("Cannot search for photos that a crash left moved aside", metadata: ["reason": "\(error)"])
        }
    }

    /// Returns false if something failed, which is retried later. After `stop()`, one batch is enough: the next start
    /// does the rest.
    private func carryOutDue() async throws -> Bool {
        // A photo missing from an unavailable inbox was not removed.
        guard !conditions.has(.inboxAway) else { return !conditions.has(.originals) }
        var failures = 0
        var refusals = 0
        while failures < Self.maxFailures, refusals < Self.batch {
            let due = try await library.dueOriginals(in: round, limit: Self.batch)
            if due.isEmpty { break }
            for original in due where failures < Self.maxFailures {
                let steps = OriginalSteps(original: original, inbox: inbox)
                // What an earlier try has done stays to be recorded.
                let wasGone = original.begun && steps.isGone
                if closed.contains(original.path.folder) {
                    try await library.postpone(original, in: round, isGone: wasGone)
                    continue
                }
                do {
                    guard try await carryOut(original, steps) else {
                        refusals += 1
                        try await library.postpone(original, in: round, isGone: wasGone)
                        continue
                    }
                } catch let cause as Errno {
                    failures += 1
                    let isClosed = [.permissionDenied, .notPermitted].contains(cause) && steps.isSourceClosed
                    if isClosed, closed.count < Self.maxClosed { closed.insert(original.path.folder) }
                    try await library.postpone(original, in: round, isGone: steps.isGone, isWholeFolder: isClosed)
                    report(original, isClosed ? nil : cause, isFirst: failures == 1)
                } catch  where error is OutboxError || error is Receiver.Away {
                    failures += 1
                    try await library.postpone(original, in: round, isGone: wasGone)
                    report(original, error, isFirst: failures == 1)
                }
            }
            if isStopping.load(ordering: .relaxed) { break }
        }
        return failures == 0 && closed.isEmpty
    }

    /// Throws if the inbox's disk is unmounted, which the Inbox may not have noticed yet: its files are not gone then.
    private func requireInbox(_ steps: OriginalSteps) async throws {
        try steps.requireFileSystem()
        guard let place = try await library.inboxPlace(at: inbox) else { return }
        guard try DirectoryIdentity(of: inbox) == place else { throw Errno.noSuchAddressOrDevice }
    }

    /// Returns whether the outbox has all stickers of an original that is to be moved or deleted, unchanged. Others are
    /// remade from it: after a start, the audit may not have found them missing yet, and it does not read them.
    ///
    /// - Throws: `OutboxError` if the outbox is unavailable or cannot be read.
    private func hasStickers(of original: Original) async throws -> Bool {
        let stickers = try await library.stickers(of: original)
        guard let pack = stickers.first?.pack else { return original.action != .remove }
        let damaged = try await outbox.damaged(stickers)
        if damaged.isEmpty { return true }
        let waiting = try await library.remake(damaged, inPack: pack)
        logger.notice(
            "Stickers are missing from the outbox or damaged; remaking them", metadata: ["photos": "\(waiting)"])
        remade()
        return false
    }

    /// Returns false if the work was cancelled or must wait.
    private func carryOut(_ original: Original, _ steps: OriginalSteps) async throws -> Bool {
        guard try await library.recordTarget(nil, for: original) else {
            try steps.putBackAside()
            return false
        }
        if original.action != .moveToFailed, try await !hasStickers(of: original) {
            try steps.putBackAside()
            return false
        }
        try await folders.receiver(for: original.action)?.recognize(in: library)
        switch original.action {
        case .remove:
            return try await conclude(original, steps, steps.remove(), at: nil)
        case .archive, .moveToFailed:
            // Continue an interrupted move under its recorded name.
            if let target = original.destination, let outcome = try steps.move(to: target, isResumed: true) {
                return try await conclude(original, steps, outcome, at: target)
            }
            for target in steps.targets(in: folders) where steps.isFree(target) {
                _ = try FolderTree.make(target.folder, below: target.top, isPrivate: true)
                guard try await library.recordTarget(target.path, for: original) else { return false }
                if let outcome = try steps.move(to: target.path, isResumed: false) {
                    return try await conclude(original, steps, outcome, at: target.path)
                }
            }
            throw Errno.fileExists
        }
    }

    /// Moves the photo back into the inbox if a retry was requested since the move was recorded.
    private func conclude(
        _ original: Original, _ steps: OriginalSteps, _ outcome: Original.Outcome, at target: FilePath?
    ) async throws -> Bool {
        if outcome == .gone {
            try await requireInbox(steps)
            // It may be found under another name.
            if conditions.isScanning { return false }
        }
        guard try await !library.conclude(original, as: outcome, at: outcome == .moved ? target : nil) else {
            return true
        }
        if outcome == .moved, let target { try steps.takeBack(from: target) }
        return false
    }

    /// - Parameter cause: nil if no file can be moved out of the photo's folder.
    private func report(_ original: Original, _ cause: (any Error)?, isFirst: Bool) {
        let reason =
            switch (cause, folders.receiver(for: original.action)) {
            case (let cause?, let receiver?): "\(original.path) cannot be moved to \(receiver.folder): \(cause)"
            case (let cause?, nil): "\(original.path) cannot be removed from the inbox: \(cause)"
            case (nil, _):
                """
                photos cannot be moved out of the inbox's folder "\(original.path.folder.map { "\($0)" } ?? ".")": \
                no write permission; make it writable for a group that stickerd is in (chgrp, chmod g+w)
                """
            }
        if isFirst { conditions.begin(.originals, because: reason, isLogged: false) }
        guard
            cause == nil ? logged.insert(original.path.folder).inserted : isFirst && backoff.isFresh && pauseEnd == nil
        else { return }
        logger.error("\(Condition.originals.beginning)", metadata: ["reason": "\(reason)"])
    }
}
