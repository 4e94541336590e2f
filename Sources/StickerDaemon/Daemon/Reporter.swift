package import Logging
package import PhotoLibrary
package import StickerPipeline
package import SystemPackage
package import Systemd

/// Reports progress: systemd's status line, and one summary in the journal each time the queue becomes empty (hourly
/// until then).
package actor Reporter {
    private let library: PhotoLibrary
    private let inbox: FilePath
    private let logger: Logger
    private let notifier: ServiceNotifier
    private let conditions: Conditions
    private var lastSummary = ContinuousClock.now
    private var workedSinceSummary = false
    private var summarized: LibraryStatus?

    /// The shortest time between two status lines.
    private static let minInterval = Duration.milliseconds(500)
    private static let summaryInterval = Duration.seconds(3600)

    /// - Parameter conditions: the status line shows the oldest one.
    package init(
        library: PhotoLibrary, inbox: FilePath, conditions: Conditions, logger: Logger, notifier: ServiceNotifier
    ) {
        self.conditions = conditions
        self.library = library
        self.inbox = inbox
        self.logger = logger
        self.notifier = notifier
    }

    /// Reports that photos dropped into the inbox are detected from now on.
    package func sayReady() async throws {
        let status = try await library.status()
        notifier.ready(status: line(status))
        summarized = status
        logger.notice(
            "Watching for photos",
            metadata: ["event": "\(JournalEvent.ready.rawValue)", "inbox": "\(inbox)"].merging(counts(status)) { $1 })
    }

    /// Reports after each signal of `changes`, until it ends.
    package func run(changes: Wakeup) async throws {
        // Wakes the loop for hourly summaries if nothing changes.
        let clock = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.summaryInterval)
                changes.ring()
            }
        }
        defer { clock.cancel() }
        for await _ in changes {
            let status = try await library.status()
            notifier.status(line(status))
            summarize(status)
            try? await Task.sleep(for: Self.minInterval)
        }
        let status = try await library.status()
        logger.notice(
            "Stopped", metadata: ["event": "\(JournalEvent.stopping.rawValue)"].merging(counts(status)) { $1 })
    }

    /// Reports that a reload has ended, successfully or not.
    package func sayReloaded() async throws {
        notifier.ready(status: line(try await library.status()))
    }

    private func summarize(_ status: LibraryStatus) {
        let isDue = lastSummary.duration(to: .now) >= Self.summaryInterval
        // A photo that is finished between two checks changes only the counts.
        if !status.isDrained || status.photos != summarized?.photos { workedSinceSummary = true }
        guard status.isDrained ? workedSinceSummary : isDue else { return }
        workedSinceSummary = !status.isDrained
        summarized = status
        lastSummary = .now
        logger.notice(
            status.isDrained ? "All photos are done" : "Photos are waiting",
            metadata: ["event": "\(JournalEvent.queueSummary.rawValue)"].merging(counts(status)) { $1 })
    }

    private func line(_ status: LibraryStatus) -> String {
        let waiting = status.photos[.pending, default: 0] + status.photos[.processing, default: 0]
        let reasons = conditions.reasons
        let more = reasons.count > 1 ? " (and \(reasons.count - 1) more)" : ""
        let waitingText = reasons.first.map { " · waiting: \($0)\(more)" } ?? ""
        return "Watching \(inbox) · \(status.stickers) stickers, \(waiting) pending, "
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
