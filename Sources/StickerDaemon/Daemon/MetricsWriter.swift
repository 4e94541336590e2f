import Conditions
import Foundation
package import LinuxIO
package import Logging
package import PhotoLibrary
import PhotoRule
package import PrometheusMetrics
package import SystemPackage

/// Writes the metrics file, atomically: a reader sees the former one or the new one. If that fails, it logs one
/// warning, and goes on trying. It has its own thread, because the disks that it asks may block.
package actor MetricsWriter: ThreadOwner {
    /// The time between two writes.
    package static let interval = Duration.seconds(15)
    private static let mode = FilePermissions(rawValue: 0o644)

    package let thread: SerialThread
    private let metrics: MetricsMemory
    private let file: FilePath
    private let library: Library
    private let disks: [(folder: FilePath, free: NumberSeries)]
    private let logger: Logger
    private let pause: Pause
    private let photos: [(FileState, NumberSeries)]
    private let stickers: NumberSeries
    private let queueAge: NumberSeries
    /// The head of the queue, and since when it waits. A try that returns it to the queue does not change that.
    private var head: (file: FileRecord, since: ContinuousClock.Instant)?
    private var isFailing = false

    /// - Parameters:
    ///   - file: absolute.
    ///   - disks: folders, with what they are called in the label `disk`.
    /// - Throws: if no thread is available.
    package init(
        _ metrics: MetricsMemory, file: FilePath, library: Library, disks: [(name: String, folder: FilePath)],
        clock: any MonotonicClock, logger: Logger
    ) throws(Errno) {
        thread = try SerialThread(name: "metrics")
        self.metrics = metrics
        self.file = file
        self.library = library
        self.disks = disks.map { ($0.folder, metrics.number(.diskFree, ("disk", $0.name))) }
        photos = FileState.allCases.map { ($0, metrics.number(.photos, ("state", $0.rawValue))) }
        (stickers, queueAge) = (metrics.number(.stickers), metrics.number(.queueAge))
        self.logger = logger
        pause = Pause(clock)
        metrics.number(.build, ("version", Release.version)).record(1)
    }

    /// Writes now, every `interval`, and after `stop`; then returns.
    package func run() async {
        _ = try? AtomicFile.removeLeftovers(in: file.removingLastComponent())
        while !pause.isEnded {
            await write()
            await pause.sleep(for: Self.interval)
        }
        await write()
    }

    package nonisolated func stop() { pause.end() }

    private func write() async {
        // The services that need the Library report its errors.
        try? await measure()
        do {
            try replaceFile()
            if isFailing { logger.notice("Writing the metrics file again", metadata: ["path": "\(file)"]) }
            isFailing = false
        } catch {
            if !isFailing {
                logger.warning(
                    "Cannot write the metrics file; retrying", metadata: ["path": "\(file)", "reason": "\(error)"])
            }
            isFailing = true
        }
    }

    private func measure() async throws {
        let status = try await library.status()
        for (state, gauge) in photos { gauge.record(status.photos[state, default: 0]) }
        stickers.record(status.stickers)
        queueAge.record(age(of: try await library.queueHead()) / .seconds(1))
        // No value if the disk is missing.
        for (folder, free) in disks { free.record((try? FileSystemSpace.free(at: folder)).map(Double.init) ?? .nan) }
    }

    /// Counts from the first sight of a file, so that later jumps of the wall clock have no effect.
    private func age(of next: FileRecord?) -> Duration {
        let now = pause.clock.now
        guard let next else {
            head = nil
            return .zero
        }
        if let head, (head.file.id, head.file.arrival) == (next.id, next.arrival) {
            return head.since.duration(to: now)
        }
        let age = Duration.seconds(max(0, Date().timeIntervalSince(next.stateSince)))
        head = (next, now - age)
        return age
    }

    /// Replaces a link of the file's name, instead of following it. Nothing is synced, which could wake a disk: after a
    /// power failure, the next start writes a new file.
    private func replaceFile() throws(Errno) {
        guard let name = file.lastComponent?.string else { throw .isDirectory }
        let draft = try DraftFile(in: file.removingLastComponent(), mode: Self.mode)
        try draft.write(Array(metrics.text.utf8))
        try draft.setMode(Self.mode)
        try draft.publish(synced: name)
    }
}
