package import Conditions
import FileNames
import LinuxIO
package import Logging
package import PhotoLibrary
import PhotoRule
package import SystemPackage
package import Systemd

/// Reports progress: systemd's status line, and one summary in the log each time the queue becomes empty (hourly until
/// then). Outside the journal, also a backlog: in the live line of a terminal, or as a line every ten seconds while
/// photos are finished.
package actor Reporter {
    private let library: Library
    private let inbox: FilePath
    private let logger: Logger
    private let notifier: ServiceNotifier
    private let conditions: CurrentConditions
    private let clock: any MonotonicClock
    private var lastSummary: ContinuousClock.Instant
    private var workedSinceSummary = false
    private var summarized: LibraryStatus?
    private let progress: ProgressOutput

    /// The shortest time between two status lines.
    private static let minInterval = Duration.milliseconds(500)
    private static let summaryInterval = Duration.seconds(3600)

    package init(
        library: Library, inbox: FilePath, conditions: CurrentConditions, progress: ProgressOutput = .none,
        logger: Logger, notifier: ServiceNotifier
    ) {
        self.progress = progress
        self.conditions = conditions
        self.library = library
        self.inbox = inbox
        self.logger = logger
        self.notifier = notifier
        clock = conditions.clock
        lastSummary = clock.now
    }

    /// Reports that photos dropped into the inbox are detected from now on.
    package func sayReady() async throws {
        let status = try await library.status()
        notifier.ready(status: line(status))
        summarized = status
        logger.notice(
            "Watching for photos in \(inbox)",
            metadata: ["event": "\(JournalEvent.ready.rawValue)", "inbox": "\(inbox)"].merging(counts(status)) { $1 })
        try await sayOutdated()
    }

    /// Reports stickers that were made with other settings or weights than new ones.
    private func sayOutdated() async throws {
        let count = try await library.outdatedStickers()
        guard count > 0 else { return }
        logger.notice("\(OutdatedStickers.text(count)); to remake: stickerd remake")
    }

    /// Reports after each signal of `changes`, until it ends.
    package func run(changes: Wakeup) async throws {
        // Wakes the loop for hourly summaries if nothing changes.
        let bell = Task { [clock] in
            while !Task.isCancelled {
                try? await clock.sleep(for: Self.summaryInterval)
                changes.ring()
            }
        }
        defer { bell.cancel() }
        for await _ in changes {
            let status = try await library.status()
            notifier.status(line(status))
            show(status)
            logFileNews()
            summarize(status)
            try? await clock.sleep(for: Self.minInterval)
        }
        let status = try await library.status()
        if case .screen(let screen) = progress { screen.clear() }
        logger.notice(
            "Stopped", metadata: ["event": "\(JournalEvent.stopping.rawValue)"].merging(counts(status)) { $1 })
    }

    /// Reports that a reload has ended, successfully or not.
    ///
    /// - Parameter isAsked: whether a user requested it.
    package func sayReloaded(isAsked: Bool) async throws {
        notifier.ready(status: line(try await library.status()))
        if isAsked { try await sayOutdated() }
    }

    private func summarize(_ status: LibraryStatus) {
        let isDue = lastSummary.duration(to: clock.now) >= Self.summaryInterval
        let ended = { (status: LibraryStatus) in status.photos.filter { $0.key != .ignored } }
        // A photo that is finished between two checks changes only the counts.
        if !status.isDrained || ended(status) != summarized.map(ended) { workedSinceSummary = true }
        guard status.isDrained ? workedSinceSummary : isDue else { return }
        workedSinceSummary = !status.isDrained
        summarized = status
        lastSummary = clock.now
        logger.notice(
            status.isDrained ? "Finished: \(sums(status))" : "Working: \(sums(status))",
            metadata: ["event": "\(JournalEvent.queueSummary.rawValue)"].merging(counts(status)) { $1 })
    }

    /// Logs what happened to files of the inbox without being processed: one line each, or their number if there are
    /// many.
    private func logFileNews() {
        let (news, unlisted) = library.fileNews.take()
        for item in news {
            var metadata: Logger.Metadata = ["photo": "\(item.path)"]
            let message: Logger.Message
            switch item.change {
            case .removed(.keep?): message = "Removed from the inbox; its sticker stays"
            case .removed(.withdraw?): message = "Removed from the inbox; its sticker is withdrawn"
            case .removed(nil): message = "Removed from the inbox"
            case .excluded(.keep?): message = "Ignored by watch.ignore from now on; its sticker stays"
            case .excluded(.withdraw?): message = "Ignored by watch.ignore from now on; its sticker is withdrawn"
            case .excluded(nil): message = "Ignored by watch.ignore from now on"
            case .replaced: message = "Changed in the inbox; reading it again"
            case .ignored(let reason):
                message = "Ignored"
                metadata["reason"] = "\(reason)"
            case .renamed(let target):
                message = "Moved under another name, because its own is taken"
                metadata["target"] = "\(InboxPath(bytes: target.bytes))"
            }
            logger.info(message, metadata: metadata)
        }
        if unlisted > 0 { logger.info("\(unlisted) more files were removed, changed or ignored") }
    }

    /// Shows a backlog where the log goes.
    private func show(_ status: LibraryStatus) {
        let waiting = status.photos[.pending, default: 0] + status.photos[.processing, default: 0]
        let ended = status.photos.values.reduce(0, +) - waiting
        switch progress {
        case .none: break
        case .screen(let screen): screen.update(waiting: waiting, ended: ended)
        case .lines(let backlog):
            guard let text = backlog.update(waiting: waiting, ended: ended, now: clock.now) else { return }
            logger.info("Working: \(text)")
        }
    }

    /// `61 stickers, 9 photos failed`: what a person wants to know in the end.
    private func sums(_ status: LibraryStatus) -> String {
        func count(_ number: Int, _ one: String, _ many: String) -> String? {
            number == 0 ? nil : number == 1 ? "1 \(one)" : "\(number) \(many)"
        }
        let parts = [
            count(status.stickers, "sticker", "stickers") ?? "0 stickers",
            count(status.photos[.failed, default: 0], "photo failed", "photos failed"),
            count(status.photos[.noSubject, default: 0], "without a clear subject", "without a clear subject"),
            count(status.photos[.pending, default: 0] + status.photos[.processing, default: 0], "pending", "pending"),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func line(_ status: LibraryStatus) -> String {
        let waiting = status.photos[.pending, default: 0] + status.photos[.processing, default: 0]
        let current = conditions.current
        let more = current.count > 1 ? " (and \(current.count - 1) more)" : ""
        let waitingText =
            current.first.map { condition, reason in
                " · \(condition == .settings ? "invalid settings" : "waiting"): \(reason)\(more)"
            } ?? ""
        let stickers = status.stickers == 1 ? "1 sticker" : "\(status.stickers) stickers"
        return "Watching \(inbox) · \(stickers), \(waiting) pending, "
            + "\(status.photos[.noSubject, default: 0]) without a subject, \(status.photos[.failed, default: 0]) failed\(waitingText)"
    }

    private func counts(_ status: LibraryStatus) -> Logger.Metadata {
        var counts: Logger.Metadata = ["stickers": "\(status.stickers)"]
        for state in FileState.allCases where state != .processing {
            counts[state == .noSubject ? "no-subject" : state.rawValue] = "\(status.photos[state, default: 0])"
        }
        return counts
    }
}

/// Where the progress of a backlog is shown.
package enum ProgressOutput: Sendable {
    /// The journal gets summaries alone.
    case none
    /// As lines of the log, whose handler omits finished photos during a backlog (`BacklogLog`).
    case lines(SharedBacklog)
    case screen(TerminalScreen)

    /// The output for the log's stream.
    static func suiting(_ destination: LogDestination) -> ProgressOutput {
        switch destination {
        case .journal: .none
        case .lines: .lines(.ofProcess)
        case .terminal: TerminalScreen.standardError.map { .screen($0) } ?? .lines(.ofProcess)
        }
    }
}
