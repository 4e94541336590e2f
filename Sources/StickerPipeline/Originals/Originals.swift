import FoundationEssentials
import LinuxIO
package import Logging
package import PhotoLibrary
package import SystemPackage

/// Moves photos out of the inbox once their stickers and the Library's word are safe on disk, on a thread of its own.
///
/// The Library says what is to be done before anything is, and where to: what a crash interrupts is finished by the next
/// start. What the disk refuses is tried again for as long as it takes.
package actor Originals {
    /// Where photos go; absolute, since the Library remembers the paths.
    package struct Folders: Sendable {
        let archive: FilePath
        let failed: FilePath

        package init(archive: FilePath, failed: FilePath) {
            self.archive = archive
            self.failed = failed
        }
    }

    /// Fetched from the Library in one go.
    private static let batch = 64
    /// After so many that failed in a row it is no use to try the others.
    private static let maxFailures = 16
    private static let obstacle = "originals"

    private let lane: Lane
    private let inbox: FilePath
    private let folders: Folders
    private let library: PhotoLibrary
    private let obstacles: Obstacles
    private let logger: Logger
    private let news = Wakeup()
    private var backoff = Backoff()

    // The actor holds its lane.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    /// - Parameter folders: must exist, as far as the mode needs them.
    /// - Throws: where the system has no thread to spare.
    package init(
        inbox: FilePath, folders: Folders, library: PhotoLibrary, obstacles: Obstacles, logger: Logger
    ) throws(Errno) {
        lane = try Lane(name: "originals")
        self.inbox = inbox
        self.folders = folders
        self.library = library
        self.obstacles = obstacles
        self.logger = logger
    }

    /// There may be something to do.
    package nonisolated func wake() { news.ring() }

    /// Has `run` try once more, and return.
    package nonisolated func stop() { news.finish() }

    /// Does what is due, then what becomes due each time it is woken, until `stop()`.
    ///
    /// - Throws: what the Library throws.
    package func run() async throws {
        wake()
        for await _ in news {
            if try await carryOutDue() {
                if !backoff.isFresh { logger.notice("Photos can be moved out of the inbox again") }
                backoff = Backoff()
                obstacles.clear(Self.obstacle)
                continue
            }
            let wait = backoff.next()
            // Rings at nobody once this has stopped.
            Task { [news] in
                try? await Task.sleep(for: wait)
                news.ring()
            }
        }
        _ = try await carryOutDue()
    }

    /// False where something could not be done, which is tried again later.
    private func carryOutDue() async throws -> Bool {
        // What is not in an inbox that is away has not been removed.
        guard !obstacles.has(Inbox.obstacle) else { return true }
        let start = Date.now
        var failures = 0
        while failures < Self.maxFailures {
            let due = try await library.dueOriginals(notTriedSince: start, limit: Self.batch)
            if due.isEmpty { break }
            for original in due where failures < Self.maxFailures {
                do {
                    let outcome = try await carryOut(original)
                    if outcome == .gone { try await requireInbox() }
                    try await library.settle(original, as: outcome)
                } catch let cause as Errno {
                    failures += 1
                    try await library.postpone(original)
                    if failures == 1 { tell(original, cause) }
                }
            }
        }
        return failures == 0
    }

    /// Nothing is gone from a mount point without its mount, which the Inbox may not have noticed yet.
    private func requireInbox() async throws {
        guard let place = try await library.inboxPlace(at: inbox) else { return }
        guard try FolderPlace(of: inbox) == place else { throw Errno.noSuchAddressOrDevice }
    }

    private func carryOut(_ original: Original) async throws -> Original.Outcome {
        let steps = OriginalSteps(original: original, inbox: inbox)
        switch original.action {
        case .remove:
            return try steps.remove()
        case .archive, .setAside:
            // What was begun goes on under the name that was chosen for it.
            if let target = original.target, let outcome = try steps.move(to: target, isResumed: true) {
                return outcome
            }
            for target in steps.targets(in: folders) where steps.isFree(target) {
                _ = try FolderTree.make(target.folder, below: target.top)
                try await library.book(target.path, for: original)
                if let outcome = try steps.move(to: target.path, isResumed: false) { return outcome }
            }
            throw Errno.fileExists
        }
    }

    private func tell(_ original: Original, _ cause: Errno) {
        let reason = "\(original.path) cannot be moved out of the inbox: \(cause)"
        obstacles.set(reason, for: Self.obstacle)
        guard backoff.isFresh else { return }
        logger.error("Photos cannot be moved out of the inbox; trying again", metadata: ["reason": "\(reason)"])
    }
}
