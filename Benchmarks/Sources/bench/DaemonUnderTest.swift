import Glibc

/// A running `stickerd run`, used like users and the service manager do: through its folders and its notify socket.
final class DaemonUnderTest {
    let folders: DaemonFolders
    private let process: ChildProcess
    /// The time from the start to `READY=1`.
    let readiness: Duration
    private let stickers: FolderWatch

    private static let startLimit = Duration.seconds(20)

    /// Starts the daemon and waits until it is ready; the folders must exist. Then closes the notify socket, so that
    /// later messages are dropped.
    init(command: [String], folders: DaemonFolders, environment: [String: String]) throws {
        self.folders = folders
        let socket = try NotifySocket()
        stickers = try FolderWatch(folders.outbox, kinds: IN_MOVED_TO)
        var environment = environment
        environment["NOTIFY_SOCKET"] = socket.name
        process = try ChildProcess(
            command + ["run", "--inbox", folders.inbox, "--outbox", folders.outbox, "--state", folders.state],
            environment: environment, errors: folders.log)
        guard let time = try socket.ready(within: Self.startLimit) else {
            throw BenchError("no READY=1 within \(Self.startLimit); see \(folders.log)")
        }
        readiness = process.started.duration(to: time)
    }

    var started: ContinuousClock.Instant { process.started }

    /// The time at which the next sticker is renamed to its final name in the outbox.
    func nextSticker(within limit: Duration = .seconds(20)) throws -> ContinuousClock.Instant {
        guard let time = try sticker(within: limit) else {
            throw BenchError("no sticker within \(limit); see \(folders.log)")
        }
        return time
    }

    /// The same; nil if there is none within `limit`.
    func sticker(within limit: Duration) throws -> ContinuousClock.Instant? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while let event = try stickers.next(within: ContinuousClock.now.duration(to: deadline)) {
            if event.name.hasSuffix(".png") { return event.time }
        }
        return nil
    }

    /// The daemon's own figures, and those of its workers in PID order.
    func figures() throws -> (daemon: ProcessFigures, workers: [ProcessFigures]) {
        (
            try ProcessFigures(of: process.id),
            try ProcessFigures.children(of: process.id).sorted().map(ProcessFigures.init)
        )
    }

    func stop() throws {
        try process.end()
    }
}
